"""References, payment codes, and statements as they are read."""
