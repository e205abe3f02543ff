"""The areas for signed-in people."""
