"""The server: many tables, durable and without leaks of secrets. `app.create_app` makes one."""
