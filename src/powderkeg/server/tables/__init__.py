"""One table: its rows, its game, how it changes and how each reader sees it."""
