"""How fast search answers, and whether its answers are right in a large catalogue."""
