"""Classic authentication: /api/v1/authn and what follows it."""
