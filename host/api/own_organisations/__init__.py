"""Calls of people about their own organisations, which need no role in one."""

from host.api.own_organisations import applications, choice

__all__ = ["applications", "choice"]
