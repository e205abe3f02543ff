"""Calls for a signed-in person's own account: at the provider (MyAccount API) and in our database."""
