"""Conditional answers: whoever has the present form already is told so in a few bytes (RFC 9110 §13)."""

from datetime import datetime, timedelta

from aiohttp import web

# HTTP dates know seconds only, and another host process may notice a change a moment later (host/site.py, POLL_S).
# So a form is dated this long after its last change, cut to the second: what was sent under that date or a later one
# was sent when nothing older could be sent any more.
SETTLES = timedelta(seconds=2)


def is_known(request: web.Request, etag: str, modified: datetime) -> bool:
    """Whether the asker holds this form. `etag` without quotes and without the suffix of a coding.

    If-None-Match decides when it is there; a time to the second is only good enough without it.
    """
    tags = request.headers.get("If-None-Match")
    if tags is not None:
        return tags.strip() == "*" or any(_bare(tag) == etag for tag in tags.split(","))
    since = request.if_modified_since
    return since is not None and settled(modified) <= since


def settled(modified: datetime) -> datetime:
    """The first full second whose asker cannot hold anything older than what was last changed at `modified`."""
    return (modified + SETTLES).replace(microsecond=0)


def shown(modified: datetime, now: datetime) -> datetime:
    """Last-Modified. Before a form has settled its date must not make a later one look known: it is a second older."""
    at = settled(modified)
    return at if at <= now else modified.replace(microsecond=0) - timedelta(seconds=1)


def _bare(tag: str) -> str:
    return tag.strip().removeprefix("W/").strip('"').removesuffix("-gzip")
