"""Background work: the worker that runs jobs, and what each kind of job does."""
