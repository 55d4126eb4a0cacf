"""Events: their operations, what those do, and what they say."""
