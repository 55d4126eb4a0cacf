"""Guests, accounts, sessions and rate limits."""
