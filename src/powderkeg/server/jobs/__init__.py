"""Background work: the worker that runs jobs, and a handler for each kind of job."""
