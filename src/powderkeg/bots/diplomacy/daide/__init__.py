"""DAIDE over TCP: other programs' bots at our tables, and our bots at theirs."""
