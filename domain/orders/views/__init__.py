"""Orders as their learner sees them: everything that a page shows, and their states in words."""
