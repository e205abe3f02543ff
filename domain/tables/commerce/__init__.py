"""Tables of selling, a file for each group."""
