"""The suites of `powderkeg bench`: one module each, with a function `measure`."""
