"""The game in the terminal: `powderkeg play`."""
