"""Bank transfers: the shop's account, references, payment codes, and statements of the bank as they are read."""
