"""The client of the provider's identity engine (IDX): sign-in flows of several steps, described by the provider's
forms."""
