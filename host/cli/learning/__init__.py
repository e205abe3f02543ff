"""Commands about what learners have done."""
