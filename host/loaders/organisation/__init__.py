"""Pages of /organization: a file a noun. Each reads the organisation of the session, and no other."""
