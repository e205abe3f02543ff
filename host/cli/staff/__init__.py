"""The commands about staff: their roles, and the record of what they changed."""
