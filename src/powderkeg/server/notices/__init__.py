"""Notices to people who are away: the outbox and the delivery."""
