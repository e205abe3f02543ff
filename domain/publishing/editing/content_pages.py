"""What staff write for the shop: dated versions, of which the newest counts. These are the written pages, such as the
refund policy, and the words of mails (domain/publishing/editing/mail_texts.py).

Until somebody publishes a version, a page is the one of the shop's files, which callers pass as `first`: it counts as
version 1, and is stored with the first version that follows. For a page without a file `first` has the number 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.errors import InvalidInput, NotFound
from domain.permissions import Actor
from domain.publishing.editing.course_texts import shortened
from domain.publishing.editing.stored_course import NewerVersion
from domain.route_rows import by_id
from domain.tables import ContentPage, Learner

# Older ones stay stored.
MAX_LISTED = 50
MAX_REFUND_DAYS = 365
MAX_TITLE_LENGTH, MAX_DESCRIPTION_LENGTH = 255, 500
# The slug of a mail's words is the kind of its outbox row; no page has a point in its slug.
MAIL_PREFIX = "mail."


@dataclass(frozen=True)
class PageText:
    """`body`: Markdown. `refund`: the terms of refunds, as in domain/orders/refund_rules.py; {} on pages without.
    `words`: of a mail, by the name of its part, where they are not the shop's own."""

    title: str
    description: str
    body: str
    refund: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PageVersion:
    """`published_by`: a name; "" when it is not known."""

    number: int
    text: PageText
    published_at: datetime
    published_by: str = ""


@dataclass(frozen=True)
class PageEdit:
    """`seen`: the number of the version that was changed. `first`: the version of the shop's file."""

    slug: str
    seen: int
    text: PageText
    first: PageVersion


def current(session: Session, *, of_mails: bool = False) -> dict[str, PageVersion]:
    """The newest version of each page, or of the words of each mail, that somebody has published, by its slug, with the
    name of who did."""
    is_of_mail = ContentPage.slug.startswith(MAIL_PREFIX)
    newest = select(ContentPage.slug, func.max(ContentPage.version).label("number")).group_by(ContentPage.slug)
    numbers = newest.where(is_of_mail if of_mails else ~is_of_mail).subquery()
    is_newest = (ContentPage.slug == numbers.c.slug) & (ContentPage.version == numbers.c.number)
    author = aliased(Learner)
    query = select(ContentPage, author.name).join(numbers, is_newest)
    rows = session.execute(query.outerjoin(author, author.id == ContentPage.published_by))
    return {row.slug: _version(row, name or "") for row, name in rows}


def versions(session: Session, slug: str) -> Sequence[PageVersion]:
    """The stored versions of a page, newest first, at most MAX_LISTED."""
    author = aliased(Learner)
    query = (
        select(ContentPage, author.name)
        .outerjoin(author, author.id == ContentPage.published_by)
        .where(ContentPage.slug == slug)
        .order_by(ContentPage.version.desc())
        .limit(MAX_LISTED)
    )
    return [_version(row, name or "") for row, name in session.execute(query)]


def version(session: Session, slug: str, number: int) -> PageVersion:
    """A stored version, without the name. Raises NotFound."""
    row = session.scalar(select(ContentPage).where(ContentPage.slug == slug, ContentPage.version == number))
    if row is None:
        raise NotFound("There is no such version of this page.")
    return _version(row, "")


def publish(session: Session, actor: Actor, edit: PageEdit) -> int:
    """Publish a text and return the number of its version.

    Every cached page is rendered anew, as others name the refund policy's days. Raises InvalidInput, NewerVersion.
    """
    _check(edit.text)
    # First the one row that every writer of the catalogue locks: of two who publish, the second sees the first.
    bump_version(session)
    number = add_version(session, actor, edit)
    if number != edit.seen and (page := by_id().get(edit.slug)) is not None:
        page_changes.note_page(session, page.path, actor.at)
    return number


def add_version(session: Session, actor: Actor, edit: PageEdit) -> int:
    """Store a text that was checked, and return the number of its version: the known one if nothing changes. Raises
    NewerVersion."""
    slug, text = edit.slug, edit.text
    row = session.scalar(
        select(ContentPage)
        .where(ContentPage.slug == slug)
        .order_by(ContentPage.version.desc())
        .limit(1)
        .with_for_update()
    )
    before = edit.first if row is None else _version(row, "")
    if before.number != edit.seen:
        raise NewerVersion
    if before.text == text:
        recording.no_change(session)
        return before.number
    if row is None and edit.first.number:
        _add(session, slug, edit.first)
    added = _add(session, slug, PageVersion(before.number + 1, text, actor.at), actor.learner_id)
    subject = Subject("content", added.id)
    recording.record(
        session, "content.publish", subject, before=_fields(slug, before), after=_fields(slug, _version(added))
    )
    return added.version


def with_days(terms: Mapping[str, Any], days: Mapping[str, int]) -> dict[str, Any]:
    """The terms of refunds with other days, by kind of purchase. Raises InvalidInput, by `refundDays.{kind}`."""
    unknown = days.keys() ^ terms.keys()
    if unknown:
        raise InvalidInput({f"refundDays.{kind}": "Enter the days of every kind of purchase." for kind in unknown})
    wrong = [kind for kind, number in days.items() if not 0 <= number <= MAX_REFUND_DAYS]
    if wrong:
        raise InvalidInput({f"refundDays.{kind}": f"Enter 0 to {MAX_REFUND_DAYS} days." for kind in wrong})
    return {
        kind: {**old, "days": days[kind]} if isinstance(old, Mapping) else days[kind] for kind, old in terms.items()
    }


def days_of(terms: Mapping[str, Any]) -> dict[str, int]:
    """The days in the terms of refunds, by kind of purchase."""
    return {kind: value["days"] if isinstance(value, Mapping) else value for kind, value in terms.items()}


def _check(text: PageText) -> None:
    errors = {
        "title": None if text.title else "Enter a title.",
        "description": None if text.description else "Enter a description: search engines show it.",
        "body": None if text.body.strip() else "Enter the text of the page.",
    }
    if any(errors.values()):
        raise InvalidInput({name: error for name, error in errors.items() if error})


def _add(session: Session, slug: str, wanted: PageVersion, author: int | None = None) -> ContentPage:
    text = wanted.text
    row = ContentPage(
        slug=slug,
        version=wanted.number,
        title=text.title,
        description=text.description,
        body=text.body,
        meta={key: dict(value) for key, value in (("refund", text.refund), ("words", text.words)) if value},
        published_at=wanted.published_at,
        published_by=author,
    )
    session.add(row)
    session.flush()
    return row


def _version(row: ContentPage, author: str = "") -> PageVersion:
    text = PageText(row.title, row.description, row.body, row.meta.get("refund", {}), row.meta.get("words", {}))
    return PageVersion(row.version, text, row.published_at, author)


def _fields(slug: str, of: PageVersion) -> dict[str, Any]:
    text = of.text
    return {
        "slug": slug,
        "version": of.number,
        "title": text.title,
        "description": shortened(text.description),
        "body": shortened(text.body),
        "refund": dict(text.refund),
        "words": {name: shortened(words) for name, words in text.words.items()},
    }
