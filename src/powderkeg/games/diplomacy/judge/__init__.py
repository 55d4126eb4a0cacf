"""Positions and orders of games that are played elsewhere: on paper, by post, in other programs."""
