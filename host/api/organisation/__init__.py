"""Calls of the area for organisations: a file a noun. Each declares its permission, and acts for the organisation of
the session alone."""
