"""Pages of the areas for signed-in people."""
