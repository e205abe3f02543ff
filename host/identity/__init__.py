"""Everything about the external sign-in provider; no other room knows its protocols."""
