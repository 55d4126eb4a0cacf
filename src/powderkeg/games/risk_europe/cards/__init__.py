"""Crown cards: the pack, and the tables in which people correct it."""
