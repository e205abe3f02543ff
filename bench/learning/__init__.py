"""L1 to L6: what learning costs."""
