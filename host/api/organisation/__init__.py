"""Calls of the area for organisations: a file a noun. Each declares its permission, and acts for the organisation of
the session alone."""

from host.api.organisation import invitations, logo, members, people_files, picking, profile, seats

__all__ = ["invitations", "logo", "members", "people_files", "picking", "profile", "seats"]
