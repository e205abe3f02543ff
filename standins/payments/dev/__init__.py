"""/dev: what tests and developers see and order."""
