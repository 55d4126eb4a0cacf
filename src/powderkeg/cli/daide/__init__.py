"""DAIDE on the command line: programs at our tables, our bots at theirs."""
