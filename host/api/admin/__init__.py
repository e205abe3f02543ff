"""Calls of the area for staff: a file a noun. Each declares its permission."""
