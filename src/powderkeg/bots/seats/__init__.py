"""Seats at a table: the turn order, letters, a seat for an assistant."""
