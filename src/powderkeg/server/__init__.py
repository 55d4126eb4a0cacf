"""The server: many tables, nothing lost, nobody peeks. `app.create_app` makes one."""
