"""/admin/mail-texts, and the page of each mail: its words as a form, how it looks with them, and its versions."""

from dataclasses import dataclass

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from config.settings import Settings
from contracts.tasks import OutboxKind
from domain.mail import mails
from domain.publishing.editing import content_pages, mail_texts
from domain.publishing.editing.content_pages import PageVersion
from domain.routes import Page
from host.api.admin.actions import Action, FormEntry, FormOptions
from host.api.admin.catalogue import mail_texts as calls
from host.api.admin.catalogue.mail_texts import publish_words, reset_words, send_test
from host.loaders.areas import area_page
from host.loaders.publishing.content_pages import version_number
from host.loaders.support.mail import kind_text
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/mail-texts"


class ShownMail(TypedDict):
    """A mail as it would arrive. `case`: with which values. `html`: what its HTML form shows, in `style`."""

    case: str
    subject: str
    text: str
    html: str
    style: str


class MailTextProps(TypedDict):
    """`version`: the published one, 0 for the shop's own words. `shownVersion`: the one whose words the form has.
    `test`: sends the words of the form to whoever asks. `reset`: null while the mail has the shop's own words."""

    title: str
    heading: str
    backHref: str
    name: str
    version: int
    shownVersion: int
    facts: list[Fact]
    form: Action
    test: Action
    reset: Action | None
    mails: list[ShownMail]
    tables: list[ShortTable]


@dataclass(frozen=True)
class _Row:
    kind: OutboxKind
    version: PageVersion


@dataclass(frozen=True)
class _Changed:
    """`before`, `after`: the words of a part in the version before, and in this one."""

    part: str
    before: str
    after: str


def _name(kind: OutboxKind) -> str:
    return kind.partition(".")[2]


_MAILS: tuple[Column[_Row], ...] = (
    cells.link("mail", "Mail", lambda row: (kind_text(row.kind), f"{PATH}/{_name(row.kind)}")),
    cells.text("when", "Sent when", lambda row: mails()[row.kind].when),
    cells.text("to", "To", lambda row: mails()[row.kind].to),
    cells.text("words", "Words", lambda row: "Changed" if row.version.text.words else "The shop's own"),
    cells.time("at", "Last change", lambda row: row.version.published_at if row.version.number else None),
    cells.text("by", "By", lambda row: row.version.published_by or None),
)
_VERSIONS: tuple[Column[_Row], ...] = (
    cells.link("version", "Version", lambda row: (_version_text(row.version.number), _href(row))),
    cells.time("at", "Published", lambda row: row.version.published_at if row.version.number else None),
    cells.text("by", "By", lambda row: row.version.published_by or None),
    cells.text("parts", "Not the shop's own", lambda row: _parts_text(row.version)),
)
_CHANGES: tuple[Column[_Changed], ...] = (
    cells.text("part", "Part", lambda row: mail_texts.part_text(row.part)),
    cells.text("before", "Before", lambda row: row.before),
    cells.text("after", "After", lambda row: row.after),
)
_FACTS: tuple[Column[_Row], ...] = (
    _MAILS[1],
    _MAILS[2],
    cells.text("version", "Words", lambda row: _version_text(row.version.number)),
    *_MAILS[4:],
)


@page("admin-mail-texts")
async def load(request: PageRequest, route: Page) -> PageResult[DetailProps]:
    """Raises ServiceUnavailable."""
    stored = await request.db.read(content_pages.current, of_mails=True)
    rows = [_Row(kind, stored.get(kind) or mail_texts.first_version("")) for kind in mail_texts.worded()]
    props: DetailProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": "/admin",
        "backText": "Overview",
        "facts": [],
        "tables": [short_table("mails", "Mails", "The shop sends no mails.", _MAILS, rows)],
    }
    return area_page.page(request, route, props)


@page("admin-mail-text")
async def load_one(request: PageRequest, route: Page) -> PageResult[MailTextProps]:
    """With `version`, the form has the words of that version. Raises NotFound, ServiceUnavailable."""
    kind, number = calls.kind_of(request.values["kind"]), version_number(request.query.get("version"))
    title = calls.title_of(kind)

    def read(session: Session) -> tuple[list[PageVersion], PageVersion, PageVersion]:
        versions = [*content_pages.versions(session, kind), mail_texts.first_version(title)]
        newest = versions[0]
        shown = newest if number is None else mail_texts.version(session, kind, title, number)
        before = mail_texts.version(session, kind, title, max(shown.number - 1, 0))
        return versions, shown, before

    versions, shown, before = await request.db.read(read)
    newest = versions[0]
    changes = short_table("changes", _changes_title(shown), "Nothing.", _CHANGES, _changes(kind, before, shown))
    listed = short_table("versions", "Versions", "None yet.", _VERSIONS, [_Row(kind, one) for one in versions])
    props: MailTextProps = {
        "title": route.title,
        "heading": kind_text(kind),
        "backHref": PATH,
        "name": _name(kind),
        "version": newest.number,
        "shownVersion": shown.number,
        "facts": facts(_FACTS, _Row(kind, newest)),
        "form": _form(request.settings, kind, newest, shown),
        "test": send_test.form(_name(kind)),
        "reset": reset_words.form(_name(kind), version=newest.number) if newest.text.words else None,
        "mails": [
            {"case": mail.case, "subject": mail.subject, "text": mail.text, "html": mail.html, "style": mail.style}
            for mail in calls.previews(request.settings, kind, shown.text.words)
        ],
        "tables": [*([changes] if shown.number else []), listed],
    }
    return area_page.page(request, route, props)


def _version_text(number: int) -> str:
    return f"Version {number}" if number else "The shop's own"


def _href(row: _Row) -> str:
    return f"{PATH}/{_name(row.kind)}?version={row.version.number}"


def _parts_text(version: PageVersion) -> str | None:
    return ", ".join(mail_texts.part_text(name) for name in version.text.words) or None


def _changes_title(shown: PageVersion) -> str:
    return f"What version {shown.number} changed"


def _changes(kind: OutboxKind, before: PageVersion, after: PageVersion) -> list[_Changed]:
    old, new = calls.words_of(kind, before.text.words), calls.words_of(kind, after.text.words)
    return [_Changed(name, old[name], new[name]) for name in new if old[name] != new[name]]


def _form(settings: Settings, kind: OutboxKind, newest: PageVersion, shown: PageVersion) -> Action:
    """What is typed for one version is not that of another."""
    parts, words = calls.parts_of(kind), calls.words_of(kind, shown.text.words)
    examples = calls.examples(settings, kind)

    def hint(name: str) -> str:
        """Which values the part must have, and which it may have."""
        needed = sorted(parts[name].needed)
        free = sorted(parts[name].known - parts[name].needed)
        named = [", ".join(f"{{{place}}} ({examples[place]})" for place in group) for group in (needed, free)]
        return " ".join(
            f"{text}: {names}." for text, names in zip(("Must have", "May have"), named, strict=True) if names
        )

    options: FormOptions = {
        "id": f"version-{shown.number}",
        "version": newest.number,
        "entries": {
            "words": {name: FormEntry(mail_texts.part_text(name), hint(name), text) for name, text in words.items()}
        },
        "button": f"Publish version {newest.number + 1}",
    }
    if shown.number != newest.number:
        options["leads_to"] = f"{PATH}/{_name(kind)}"
    return publish_words.form(_name(kind), **options)
