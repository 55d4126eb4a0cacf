"""Analysis of positions and finished games."""
