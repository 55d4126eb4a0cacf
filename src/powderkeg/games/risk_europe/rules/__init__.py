"""The rules, in the rulebook's words."""
