"""What the learners of the demo have studied: ada and member by hand, and two hundred invented ones by chance."""

from domain.seed.progress.load import add

__all__ = ["add"]
