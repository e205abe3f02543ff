"""Applications of organisations: sent by their first owner, talked about in a thread, and decided by staff."""
