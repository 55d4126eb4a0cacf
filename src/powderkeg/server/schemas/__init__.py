"""Every message of the API as a pydantic model, one module per subject."""
