"""The area of organisations."""
