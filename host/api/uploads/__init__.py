"""Files in parts: their calls, and the one body that is not JSON."""
