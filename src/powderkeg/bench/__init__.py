"""How fast Powderkeg is, beside others in the same run: `powderkeg bench`."""
