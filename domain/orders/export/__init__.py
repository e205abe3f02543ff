"""Exports for bookkeeping: document lines, payments by day, tax by place and rate; and whether documents and money
agree."""
