"""A small policy for Diplomacy, trained by self-play, with its weights."""
