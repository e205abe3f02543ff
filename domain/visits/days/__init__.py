"""Local days of visits, computed from the raw rows. No count is ever increased: the same rows give the same figures."""
