"""Draws the two maps of Europe: `python -m tools.mapmaker`."""
