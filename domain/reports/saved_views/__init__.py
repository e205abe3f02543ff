"""Saved views of reports: what people have chosen, under a name, to open again or to get by mail."""
