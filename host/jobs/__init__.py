"""Jobs of staff as their pages and calls show them."""
