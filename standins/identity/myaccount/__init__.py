"""MyAccount, version 1.0.0: calls by which signed-in users read and change their own account."""
