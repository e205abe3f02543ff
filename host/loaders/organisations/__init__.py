"""Pages of staff about organisations."""
