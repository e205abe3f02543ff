"""The client of the external sign-in provider; no other package knows the provider's protocols."""
