"""The board as whole numbers, and the compiled kernel that plays movements on it."""
