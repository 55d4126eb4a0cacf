"""Tournaments between bots: playing them, ratings, reports and tuning of weights."""
