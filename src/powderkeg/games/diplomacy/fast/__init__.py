"""The adjudicator compiled, for many positions at once. Needs the extra `fast`."""
