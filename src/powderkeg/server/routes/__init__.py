"""HTTP and WebSocket: thin doors to the rest."""
