"""Commands for hosts: `serve`, `worker` and `admin`."""
