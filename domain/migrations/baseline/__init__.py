"""The tables of the first migration, a file for each group. Later migrations change the tables, never these files."""
