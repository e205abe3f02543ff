"""Quizzes: marking answers, and recording attempts."""
