"""Requests that other services make to this site by themselves."""
