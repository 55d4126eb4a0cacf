"""``python -m powderkeg``, for where the `powderkeg` command is not on the path."""

from powderkeg.cli.app import main

main()
