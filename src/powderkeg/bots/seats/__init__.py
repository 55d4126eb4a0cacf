"""Seats at a table: who is asked next, a seat for an assistant, a seat for a language model."""
