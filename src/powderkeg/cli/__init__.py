"""The command line. Bad input gets a sentence and a clean exit code, never a traceback."""

from powderkeg.cli.app import main

__all__ = ["main"]
