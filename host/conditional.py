"""Conditional answers: whoever has the present form already is told so in a few bytes (RFC 9110 §13)."""

from datetime import datetime, timedelta

from aiohttp import web

SECOND = timedelta(seconds=1)


def is_known(request: web.Request, etag: str, modified: datetime) -> bool:
    """Whether the asker holds this form. `etag` without quotes and without the suffix of a coding.

    If-None-Match decides when it is there; a time to the second is only good enough without it.
    """
    tags = request.headers.get("If-None-Match")
    if tags is not None:
        return tags.strip() == "*" or any(_bare(tag) == etag for tag in tags.split(","))
    since = request.if_modified_since
    return since is not None and modified.replace(microsecond=0) <= since


def shown(modified: datetime, now: datetime) -> datetime:
    """Last-Modified knows seconds only: of a change within this one another may follow, which must not look known."""
    return modified if now - modified >= SECOND else modified - SECOND


def _bare(tag: str) -> str:
    return tag.strip().removeprefix("W/").strip('"').removesuffix("-gzip")
