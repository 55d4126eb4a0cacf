"""The database: schema, transactions, migrations, events and the job queue."""
