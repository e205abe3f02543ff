"""The staff of the school: who has which role, and what giving and taking one requires."""
