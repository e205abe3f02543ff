"""What stands in for outside services on one machine, each on its own origin, each remembering. Never in production."""
