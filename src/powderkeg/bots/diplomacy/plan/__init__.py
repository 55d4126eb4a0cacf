"""Plans for a whole turn: orders of a movement, retreats, builds and removals."""
