"""What learners can do with their own data: export all of it, and delete the account."""
