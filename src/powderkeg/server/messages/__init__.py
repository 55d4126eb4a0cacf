"""The border: every message of the API, by what it is about."""
