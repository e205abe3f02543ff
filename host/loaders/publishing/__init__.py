"""Pages of the catalogue in the area for staff."""
