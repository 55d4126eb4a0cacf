"""Seats at a table: the turn order, a seat for an assistant, a seat for a language model."""
