"""The page /user-dashboard: dashboard, courses and lessons of the learner who is signed in."""
