"""The fault experiments of `tests/support/faults` in their long form."""
