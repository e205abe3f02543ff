"""Calls of people about their own organisations, which need no role in one."""
