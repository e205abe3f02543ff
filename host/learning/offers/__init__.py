"""What learners are offered by a link or by others."""
