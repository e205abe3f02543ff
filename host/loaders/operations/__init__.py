"""Pages of staff about how the site runs and what visitors search for."""
