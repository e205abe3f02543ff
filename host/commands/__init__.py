"""Commands of `python -m host`, each with its arguments and what it does."""
