"""Deals between players: terms, binding, feasibility, and how offers are made."""
