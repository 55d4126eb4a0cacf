"""Orders as people write them, in three languages."""
