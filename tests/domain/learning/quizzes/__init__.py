"""Tests of domain/learning/quizzes."""
