"""Pages of signed-in learners."""
