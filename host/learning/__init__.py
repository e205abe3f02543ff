"""What learners see of their courses, as pages and calls send it."""
