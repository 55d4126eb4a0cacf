"""Events: their operations, the effects of these, and their texts."""
