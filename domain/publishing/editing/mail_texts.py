"""The words of mails that staff may change: sentences of words alone, into which the mail puts its values at names such
as {order.code}. Links, lists, totals and what the law asks for are not among them: they stay in templates/mail.

What is published is kept in the table of written pages (domain/publishing/editing/content_pages.py), only where it is
not the shop's own; a part that is not kept has the words of its template.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from contracts.payloads import MailTestItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.errors import InvalidInput, Refused
from domain.mail import DeclaredMail, mails
from domain.outbox import queue
from domain.permissions import Actor
from domain.publishing.editing import content_pages
from domain.publishing.editing.content_pages import PageEdit, PageText, PageVersion
from domain.tables import Learner

MAX_LENGTH = 1_000
_PLACE = re.compile(r"\{([^{}]*)\}")
_BLANKS = re.compile(r"[ \t\r\n]+")
# The words of each part by its name: what stands before the first "_", and when there are several, the case after it.
_PARTS = {
    "subject": "Subject",
    "greeting": "Greeting, before the name",
    "opening": "Opening",
    "further": "Further words",
    "reason": "Before the reason",
    "until": "Until when",
    "carrier": "Carrier",
    "document": "Document",
    "back": "Before what goes back",
    "rest": "The rest",
    "closing": "Closing",
    "link": "Before the link, without HTML",
    "button": "Button",
}
_CASES = {
    "free": "when nothing is paid",
    "several": "for several",
    "unnamed": "when the name is not known",
    "unspecified": "when the way of payment is not known",
    "unexplained": "when the cause is not known",
    "unlisted": "without a list",
    "undated": "without a day",
    "ended": "when the order has ended",
    "staff": "when staff gave it",
    "seat": "of a seat",
    "gift": "of a gift",
}


@dataclass(frozen=True)
class MailPart:
    """A sentence of a mail. `words`: the shop's own. `needed`: the names of the values that it must have in any words;
    `known`: of all that it may have."""

    words: str
    needed: frozenset[str]
    known: frozenset[str]


def worded() -> Mapping[OutboxKind, DeclaredMail]:
    """The mails whose words staff may change, in the order of OutboxKind."""
    declared = mails()
    return {kind: declared[kind] for kind in OutboxKind if kind in declared and declared[kind].options.example}


def part_text(name: str) -> str:
    """ "opening_free" -> "Opening, when nothing is paid"."""
    part, _, case = name.partition("_")
    return f"{_PARTS[part]}, {_CASES[case]}" if case else _PARTS[part]


def places(words: str) -> set[str]:
    """The names of values in words: "Your order {order.code}" has order.code."""
    return set(_PLACE.findall(words))


def filled(words: str, value: Callable[[str], str]) -> str:
    """The words with the value of each name in its place."""
    return _PLACE.sub(lambda match: value(match[1]), words)


def refusal(words: str, part: MailPart) -> str | None:
    """Why these words cannot be those of the part, in words for staff; None if they can."""
    if not words:
        return "Enter the words."
    if set(_PLACE.sub("", words)) & set("{}"):
        return "A brace { or } is only for names of values, such as {site.name}."
    found = places(words)
    if unknown := sorted(found - part.known):
        known = ", ".join(f"{{{name}}}" for name in sorted(part.known))
        return f"There is no {{{unknown[0]}}} here. There is {known}."
    if missing := sorted(part.needed - found):
        return f"This must be in it: {', '.join(f'{{{name}}}' for name in missing)}."
    return None


def refusals(words: Mapping[str, str], parts: Mapping[str, MailPart]) -> dict[str, str]:
    """By the name of the part; that of one which the mail does not have is among them."""
    said = {
        name: refusal(text, parts[name]) if name in parts else "This mail has no such part."
        for name, text in words.items()
    }
    return {name: text for name, text in said.items() if text is not None}


def tidy(words: Mapping[str, str]) -> dict[str, str]:
    """Each part is one paragraph. Spaces at which no line breaks stay."""
    return {name: _BLANKS.sub(" ", text).strip() for name, text in words.items()}


def first_version(title: str) -> PageVersion:
    """Before anybody has published words of a mail it has the shop's own."""
    return PageVersion(0, PageText(title, "", ""), datetime.fromtimestamp(0, UTC))


def current(session: Session) -> dict[str, Mapping[str, str]]:
    """What staff have published, by the kind of the mail and the name of its part."""
    return {kind: version.text.words for kind, version in content_pages.current(session, of_mails=True).items()}


def version(session: Session, kind: str, title: str, number: int) -> PageVersion:
    """A version of the words; 0 are the shop's own. Raises NotFound."""
    return content_pages.version(session, kind, number) if number else first_version(title)


@dataclass(frozen=True)
class MailEdit:
    """`kind`: of the mail, with a title for lists of changes. `seen`: the number of the version that was changed.
    `words`: by the name of the part; a part without an entry has the shop's own."""

    kind: str
    title: str
    seen: int
    words: Mapping[str, str]


@dataclass(frozen=True)
class MailTest:
    """`words`: as typed; `currency`: of the examples."""

    kind: OutboxKind
    words: Mapping[str, str]
    currency: str


def publish(session: Session, actor: Actor, edit: MailEdit, parts: Mapping[str, MailPart]) -> int:
    """Words for all mails that are written from now on. Returns the number of their version. Raises InvalidInput by
    `words.{part}`, NewerVersion."""
    words = _checked(edit.words, parts)
    own = {name: text for name, text in words.items() if text != parts[name].words}
    text = PageText(edit.title, "", "", words=own)
    return content_pages.add_version(session, actor, PageEdit(edit.kind, edit.seen, text, first_version(edit.title)))


def order_test(session: Session, actor: Actor, test: MailTest, parts: Mapping[str, MailPart]) -> str:
    """Have a mail sent to whoever asks, with examples as its values. Returns their address. Raises InvalidInput by
    `words.{part}`, Refused for an account without an address."""
    words = _checked(test.words, parts)
    learner = None if actor.learner_id is None else session.get(Learner, actor.learner_id)
    if learner is None or not learner.email:
        raise Refused("Your account has no email address.")
    item = MailTestItem(learner_id=learner.id, mail=test.kind, words=words, currency=test.currency)
    queue.enqueue(session, OutboxKind.TEST, item, actor.at)
    recording.no_change(session)
    return learner.email


def _checked(words: Mapping[str, str], parts: Mapping[str, MailPart]) -> Mapping[str, str]:
    checked = tidy(words)
    if refused := refusals(checked, parts):
        raise InvalidInput({f"words.{name}": text for name, text in refused.items()})
    return checked
