"""Reports about visits, for marketers: pages, files and calls."""
