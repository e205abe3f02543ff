"""What the learner sees of their courses: read only, each from few statements."""
