"""/organization/application: a person's own applications, whatever area they have signed in to."""

from datetime import datetime

from typing_extensions import TypedDict

from domain.display_text import day_text
from domain.errors import NotFound
from domain.organisations.applications import thread as application_thread
from domain.organisations.applications.applying import UNKNOWN
from domain.organisations.applications.thread import Application
from domain.organisations.applications.working_days import working_days_left
from domain.routes import Page
from domain.typed_values import is_number
from host.api.admin.actions import Action
from host.api.own_organisations.applications import answer
from host.loaders.areas import area_page
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/organization/application"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "submitted": ("With us", "info"),
    "information": ("We have a question", "warning"),
    "approved": ("Approved", "good"),
    "declined": ("Declined", "bad"),
}


class ApplicationValues(TypedDict):
    """What the form of an application begins with."""

    name: str
    slug: str
    website: str
    size: int
    domains: str
    request: str


class ThreadEntry(TypedDict):
    """`author` None: a deleted account."""

    id: str
    author: str
    sentAt: str
    isStaff: bool
    text: str


class OwnApplicationLink(TypedDict):
    name: str
    href: str
    state: str
    isCurrent: bool


class OrganisationApplicationProps(TypedDict):
    """`heading` "" without any application. `next`: what happens next, in words. `others`: all applications, where
    there are several. `actions`: answering. `again`: values to apply again with; null: not now."""

    title: str
    heading: str
    stateText: str
    stateTone: BadgeTone
    next: str
    facts: list[Fact]
    thread: list[ThreadEntry]
    others: list[OwnApplicationLink]
    actions: list[Action]
    applicationId: int
    again: ApplicationValues | None


@page("organization-application")
async def load(request: PageRequest, route: Page) -> PageResult[OrganisationApplicationProps]:
    """Raises NotFound for an application of others, ServiceUnavailable."""
    if request.session is None:
        raise LookupError(f"{route.id} was loaded without a session")
    learner_id = request.session.auth.learner_id
    number = _number_in_query(request.query.get("application", ""))
    own = await request.db.read(application_thread.own_applications, learner_id)
    shown = await request.db.read(application_thread.newest_of, learner_id, number)
    props = _nothing(route) if shown is None else _props(route, shown, request.at, request.settings.locale)
    if len(own) > 1 and shown is not None:
        props["others"] = [
            {"name": name, "href": f"{PATH}?application={key}", "state": STATES[state][0], "isCurrent": key == shown.id}
            for key, name, state in own
        ]
    return area_page.page(request, route, props)


def _number_in_query(text: str) -> int | None:
    """Raises NotFound for what is no number."""
    if not text:
        return None
    if not is_number(text):
        raise NotFound(UNKNOWN)
    return int(text)


def _nothing(route: Page) -> OrganisationApplicationProps:
    return {
        "title": route.title,
        "heading": "",
        "stateText": "",
        "stateTone": "neutral",
        "next": "",
        "facts": [],
        "thread": [],
        "others": [],
        "actions": [],
        "applicationId": 0,
        "again": None,
    }


def _props(route: Page, shown: Application, at: datetime, locale: str) -> OrganisationApplicationProps:
    text, tone = STATES[shown.state]
    thread: list[ThreadEntry] = [
        {
            "id": f"message-{place}",
            "author": "" if message.is_staff else "You",
            "sentAt": message.sent_at.isoformat(),
            "isStaff": message.is_staff,
            "text": message.text,
        }
        for place, message in enumerate(shown.messages, 1)
    ]
    return {
        **_nothing(route),
        "heading": shown.name,
        "stateText": text,
        "stateTone": tone,
        "next": next_step(shown, at, locale),
        "facts": facts(_FACTS, shown),
        "thread": thread,
        "actions": _actions(shown),
        "applicationId": shown.id,
        "again": _values(shown) if shown.state == "declined" else None,
    }


def next_step(shown: Application, at: datetime, locale: str) -> str:
    """What the applicant can expect or do, in words."""
    if shown.state == "information":
        return "We need an answer of yours before we can decide."
    if shown.state == "approved":
        return "The area of your organisation is open to you."
    if shown.state == "declined":
        return "You find the reason below. Change what is needed, and apply again."
    if shown.due_at is None:
        return ""
    day, left = day_text(shown.due_at, locale), working_days_left(shown.due_at, at)
    if at > shown.due_at:
        return f"We promised our answer by {day}, and are late. We are sorry, and look at it first."
    count = {0: "today is the last of two working days", 1: "one working day is left"}.get(
        left, f"{left} working days are left"
    )
    return f"You have our answer by {day} at the latest: {count}."


def _actions(shown: Application) -> list[Action]:
    if shown.state == "information":
        return [answer.form(shown.id)]
    if shown.state != "submitted":
        return []
    text = "Anything that helps us to decide."
    return [answer.form(shown.id, title="Add something", text=text, button="Send", labels={"text": "Message"})]


def _values(shown: Application) -> ApplicationValues:
    return {
        "name": shown.name,
        "slug": shown.slug,
        "website": shown.website,
        "size": shown.size or 0,
        "domains": "\n".join(shown.requested_domains),
        "request": shown.request or "",
    }


_FACTS: tuple[Column[Application], ...] = (
    cells.text("slug", "Short name", lambda row: row.slug),
    cells.text("website", "Website", lambda row: row.website or None),
    cells.count("size", "People", lambda row: row.size),
    cells.text("domains", "Email domains", lambda row: ", ".join(row.requested_domains or row.domains) or None),
    cells.time("applied", "Sent", lambda row: row.applied_at),
    cells.text("request", "What you wrote", lambda row: row.request),
)
