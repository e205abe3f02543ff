"""How long visits and what is computed from them are kept. Only visits whose day is final are deleted."""
