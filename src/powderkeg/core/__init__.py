"""Contract, table and record: all that the games share. Needs only the standard library."""
