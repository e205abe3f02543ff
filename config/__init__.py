"""Settings of all processes, with their environment variables and defaults, and the table of rate limits."""
