"""The answer of calls that staff make from the page of one thing."""

from datetime import UTC, datetime
from typing import Annotated, Any

from aiohttp import web
from pydantic import BaseModel, Field

from domain.permissions import Actor
from host.http import request_keys

Reason = Annotated[str, Field(max_length=500)]


class Undo(BaseModel):
    """The call, below /api, that takes a change back."""

    call: str
    body: dict[str, Any]


class StaffOutcome(BaseModel):
    """`text`: what was done, in words. `href`: the page after it, null: none in particular."""

    text: str
    href: str | None = None


class UndoableOutcome(StaffOutcome):
    """`undo`: offered for ten seconds."""

    undo: Undo | None = None


class MailPreview(BaseModel):
    """A mail as it would arrive. `case`: with which values. `html`: what its HTML form shows, in `style`."""

    case: str
    subject: str
    text: str
    html: str
    style: str


class ActionPreview(BaseModel):
    """What an action would do, in words. `lacks`: what keeps the thing from being complete. `html`: by the name of a
    field of Markdown, what becomes of it. `mails`: what becomes of the words of a mail. `button`: instead of the
    declared one, such as one with an amount.
    `confirmed`: what the confirmed call gets beside its fields, so that it does what was shown or nothing."""

    effects: list[str] = []
    lacks: list[str] = []
    html: dict[str, str] = {}
    mails: list[MailPreview] = []
    button: str | None = None
    confirmed: dict[str, Any] = {}


def target(request: web.Request) -> tuple[int, Actor, datetime]:
    """The number in the path, who acts, and when."""
    return request[request_keys.PATH_ID], request[request_keys.ACTOR], datetime.now(UTC)
