"""The rules of the board as pure functions: legal orders, battles, retreats, adjustments."""
