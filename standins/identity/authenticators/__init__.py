"""Authenticators: how each kind is enrolled, challenged and checked."""
