"""HTTP and WebSocket: parse the request, call the rest of the server, answer."""
