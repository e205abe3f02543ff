"""Experiments that break a real running site on purpose: short in `tests/faults`, long by `python -m bench.faults`."""
