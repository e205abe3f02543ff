"""Pages of /admin: a file a noun."""
