"""Calls of learners about what they study."""

from host.api.learning import certificates, gifts, joining, notes, progress, quizzes, reading, reviews, seats

__all__ = ["certificates", "gifts", "joining", "notes", "progress", "quizzes", "reading", "reviews", "seats"]
