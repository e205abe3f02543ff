"""Samples of the state of the site."""
