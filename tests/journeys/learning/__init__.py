"""Journeys of learners: dashboard, course page and lesson player."""
