"""Chances in battle: exact odds, and the forecast that a view shows."""
