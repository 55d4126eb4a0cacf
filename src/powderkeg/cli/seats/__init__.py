"""Seats for programs: an assistant over MCP, a language model on a server."""
