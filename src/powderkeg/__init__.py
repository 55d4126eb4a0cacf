"""Powderkeg: three games of European statecraft."""
