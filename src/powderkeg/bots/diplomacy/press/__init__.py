"""Negotiation between powers: the press language, deals and the envoy that speaks for a bot."""
