"""What learners own and study."""
