"""Deals between players: their terms, what binds, and how they are made."""
