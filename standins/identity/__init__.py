"""A sign-in provider for development: OpenID Connect, classic authentication, the identity engine and account calls."""
