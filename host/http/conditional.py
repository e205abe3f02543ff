"""Conditional requests: 304 Not Modified when the client already has the current version (RFC 9110 §13)."""

from datetime import datetime, timedelta

from aiohttp import web

# HTTP dates have a resolution of one second, and other host processes see a change up to POLL_S later
# (host/site_state.py). A version therefore gets the date of its last change plus this time, truncated to the second:
# from then on no process sends an older version, so a client that has this date or a later one is up to date.
SETTLE_S = timedelta(seconds=2)


def is_not_modified(request: web.Request, etag: str, modified: datetime) -> bool:
    """Whether the client already has this version. `etag`: without quotes and without the suffix of an encoding.

    If-None-Match decides when it is present; If-Modified-Since, exact to the second, only without it.
    """
    tags = request.headers.get("If-None-Match")
    if tags is not None:
        return tags.strip() == "*" or any(_opaque_tag(tag) == etag for tag in tags.split(","))
    since = request.if_modified_since
    return since is not None and settled_time(modified) <= since


def settled_time(modified: datetime) -> datetime:
    """The first full second from which on every process sends the version of `modified`."""
    return (modified + SETTLE_S).replace(microsecond=0)


def last_modified(modified: datetime, now: datetime) -> datetime:
    """The value of Last-Modified. Until the version has settled it is one second before the change, so that the client
    asks again."""
    settled_at = settled_time(modified)
    return settled_at if settled_at <= now else modified.replace(microsecond=0) - timedelta(seconds=1)


def _opaque_tag(tag: str) -> str:
    return tag.strip().removeprefix("W/").strip('"').removesuffix("-gzip")
