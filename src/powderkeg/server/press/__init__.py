"""What players say to each other: letters, offers and proposals."""
