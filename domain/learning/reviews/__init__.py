"""Reviews of courses by those who study them."""
