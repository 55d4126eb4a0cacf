"""Contract, table and record: everything that the games share. Needs only the standard library."""
