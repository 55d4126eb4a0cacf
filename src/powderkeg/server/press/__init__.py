"""Talk between players: letters, offers and proposals."""
