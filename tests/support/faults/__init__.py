"""Fault injection against a running site: short runs in `tests/faults`, long ones by `python -m bench.faults`."""
