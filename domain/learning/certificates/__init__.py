"""Certificates: issued with the completion of a course, corrected, renewed, revoked, read and mailed."""
