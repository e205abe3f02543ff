"""/admin/bulk: changes of many courses or items, and /admin/bulk/{id}: what was chosen for one, and what came of it."""

from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from config.settings import Settings
from domain import money
from domain.display_text import count_text, moment_text, money_text, price_text
from domain.errors import NotFound
from domain.jobs.job_rows import JobView
from domain.permissions import Permission
from domain.publishing.bulk import price_rules
from domain.publishing.bulk import views as bulk_views
from domain.publishing.bulk.operations import PURPOSES, allowed_purposes, require
from domain.publishing.bulk.price_rows import has_preview
from domain.publishing.bulk.views import ROW_STATES, BulkRow, BulkView
from domain.publishing.editing import course_list
from domain.publishing.editing.course_list import Choice
from domain.routes import Page
from host.api.admin.actions import Action
from host.api.admin.catalogue import bulk as calls
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.publishing.course_frame import PATHS, may, path_id
from host.loaders.publishing.courses import badge
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_props import TableProps
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import csv_file, page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

T = TypeVar("T")
PATH, UNKNOWN = "/admin/bulk", "There is no such bulk change."
STATES: dict[str, tuple[str, BadgeTone]] = {
    "queued": ("Waiting to begin", "neutral"),
    "running": ("Running", "info"),
    "done": ("Done", "good"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "warning"),
}
_TONES: dict[str, BadgeTone] = {"chosen": "neutral", "changed": "good", "unchanged": "neutral", "refused": "warning"}


class BulkChangeProps(ActionPageProps):
    """`isRunning`: more rows are being changed. `table`: the rows, each with its result."""

    isRunning: bool
    table: TableProps


LIST = AreaList(
    TableSpec(
        caption="Bulk changes",
        source=bulk_views.jobs_for(tuple(PURPOSES)),
        columns=(
            cells.link("name", "Change", lambda row: (str(row.input["name"]), f"{PATH}/{row.input['bulk_change_id']}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.count("changed", "Changed", lambda row: row.report.get("changed")),
            cells.count("refused", "Refused", lambda row: row.report.get("refused")),
            cells.time("started", "Begun", lambda row: row.created_at),
            cells.text("by", "By", lambda row: row.started_by or None),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No bulk changes yet",
            "text": "Choose rows in the list of courses or items, then “Change…” or “Change prices…”: each change "
            "appears here.",
            "action": {"text": "All courses", "href": PATHS["course"]},
        },
    ),
    visible=lambda request: bulk_views.jobs_for(() if request.actor is None else allowed_purposes(request.actor)),
)
list_page("admin-bulk", LIST)


def _rows(view: BulkView, settings: Settings) -> AreaList[BulkRow]:
    states = {**ROW_STATES, "chosen": "Would change"} if _is_preview(view) else ROW_STATES
    own = _price_columns(view, settings) if view.purpose == "prices" else _STATE_COLUMNS
    return AreaList(
        TableSpec(
            caption="Chosen rows",
            source=bulk_views.rows_of(view.id),
            columns=(
                cells.link("name", "Name", lambda row: (row.name or "No name", f"{PATHS[row.kind]}/{row.product_id}")),
                cells.badge("result", "Result", lambda row: (states[row.state], _TONES[row.state])),
                *own,
            ),
            filters=(choice("result", "Result", states),),
            empty={"title": "No rows", "text": "Nothing is chosen any more.", "action": None},
        )
    )


_WHY: Column[BulkRow] = cells.text("note", "Why", lambda row: row.note or None)
_STATE_COLUMNS: tuple[Column[BulkRow], ...] = (
    _WHY,
    cells.badge("status", "State now", lambda row: badge(row.status)),
    cells.text("category", "Category now", lambda row: row.category),
)


def _is_preview(view: BulkView) -> bool:
    return has_preview(view.pricing) and view.job is None


def _price_columns(view: BulkView, settings: Settings) -> tuple[Column[BulkRow], ...]:
    """What each row cost before and costs after the change: in words, and each amount for files."""
    currency = settings.shop.currency
    ends = ("before", "after") if view.undoes_id is None else ("now", "before")

    def amount(end: str, name: str) -> Callable[[BulkRow], Decimal | None]:
        return lambda row: _amount(((row.prices or {}).get(end) or {}).get(name))

    def words(end: str) -> Callable[[BulkRow], str | None]:
        return lambda row: _price_words((row.prices or {}).get(end), view.chosen_at, settings)

    def lowest(row: BulkRow) -> str | None:
        return (row.prices or {}).get("lowest")

    def shown(text: str | None) -> str:
        return _price_words({"list": text, "sale": None}, view.chosen_at, settings) or ""

    return (
        _WHY,
        cells.text("before", "Before", words(ends[0])),
        cells.text("after", "After", words(ends[1])),
        cells.text("lowest", "30-day lowest", lambda row: lowest(row) and shown(lowest(row))),
        cells.badge("status", "State now", lambda row: badge(row.status), hidden=True),
        cells.amount("lowest-amount", "Lowest of 30 days", lambda row: _amount(lowest(row)), currency, hidden=True),
        *(
            cells.amount(f"{name}-{word}", f"{label} {word}", amount(end, name), currency, hidden=True)
            for name, label in (("list", "List price"), ("sale", "Sale price"))
            for end, word in zip(ends, ("before", "after"), strict=True)
        ),
    )


def _price_words(price: Mapping[str, Any] | None, at: datetime, settings: Settings) -> str | None:
    """The list price; the sale price and the list price while there is a sale."""
    if price is None:
        return None
    currency, until = settings.shop.currency, price.get("until")

    def words(text: str) -> str:
        return price_text(money.to_minor(Decimal(text), currency), currency, settings.locale)

    if price["sale"] is None or (until is not None and datetime.fromisoformat(until) <= at):
        return words(price["list"])
    return f"{words(price['sale'])} instead of {words(price['list'])}"


def _amount(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


@page("admin-bulk-change")
async def load(request: PageRequest, route: Page) -> PageResult[BulkChangeProps]:
    """Raises NotFound, MissingPermission, ServiceUnavailable."""

    def read(session: Session) -> tuple[BulkView, list[Choice]]:
        return _view(session, request), course_list.categories(session)

    view, categories = await request.db.read(read)
    props: BulkChangeProps = {
        "title": route.title,
        "heading": _heading(view),
        "backHref": PATHS[view.kind] if view.job is None else PATH,
        "backText": f"All {view.kind}s" if view.job is None else "All bulk changes",
        "facts": facts(_FACTS, view),
        "texts": [],
        "tables": [],
        "actions": _actions(request, view, categories),
        "isRunning": view.job is not None and view.job.state in ("queued", "running"),
        "table": await _rows(view, request.settings).table(request),
    }
    return area_page.page(request, route, props)


@csv_file("admin-bulk-change")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """The rows of one change as a file. Raises NotFound, MissingPermission, InvalidInput,
    ServiceUnavailable."""
    view = await request.db.read(_view, request)
    async for part in _rows(view, request.settings).csv(request):
        yield part


def _view(session: Session, request: PageRequest) -> BulkView:
    """Raises NotFound, MissingPermission: its report is for whoever may do what it does."""
    view = bulk_views.bulk_view(session, path_id(request, "id", UNKNOWN), request.at)
    if request.actor is None:
        raise NotFound(UNKNOWN)
    require(request.actor, view.permission)
    return view


def _heading(view: BulkView) -> str:
    if view.job is not None:
        return str(view.job.input["name"])
    what = f"{count_text(view.number)} {_noun(view, view.number)}"
    return f"Change the price of {what}" if view.purpose == "prices" else f"Change {what}"


def _noun(view: BulkView, number: int) -> str:
    return view.kind if number == 1 else f"{view.kind}s"


def _actions(request: PageRequest, view: BulkView, categories: list[Choice]) -> list[Action]:
    if view.job is None:
        is_about_prices = view.purpose == "prices"
        return _pricing(view, request.settings) if is_about_prices else _beginnings(request, view, categories)
    if view.job.state in ("queued", "running"):
        return [calls.stop_bulk_change.form(view.id)]
    return _endings(view)


def _endings(view: BulkView) -> list[Action]:
    text = f"{count_text(view.left)} {_noun(view, view.left)} {'was' if view.left == 1 else 'were'} not changed."
    rest = calls.choose_rest.form(view.id, text=f"{text} Choose what is done about it.")
    undo = [_undo(view, view.undoable_until)] if view.may_be_undone and view.undoable_until is not None else []
    return [rest, *undo] if view.left else undo


def _undo(view: BulkView, until: datetime) -> Action:
    text = f"{calls.undo_bulk_change.options['text']} This is possible until {moment_text(until)}."
    return calls.undo_bulk_change.form(view.id, text=text)


def _beginnings(request: PageRequest, view: BulkView, categories: list[Choice]) -> list[Action]:
    options = {"": "Choose…"} | {entry.slug: entry.name for entry in categories}
    category = calls.change_categories.form(view.id, options={"category": options})
    if not may(request, Permission.CATALOGUE_PUBLISH):
        return [category]
    number = f"{count_text(view.number)} {_noun(view, view.number)}"
    ways = (calls.publish_products, calls.retire_products)
    return [category, *(way.form(view.id, question=f"{number}. {way.options['question']}") for way in ways)]


def _pricing(view: BulkView, settings: Settings) -> list[Action]:
    """The form of the rule, and once its preview is shown what carries it out."""
    stored = view.pricing
    options = {"rounding": _roundings(settings)}
    if stored is None:
        return [calls.preview_prices.form(view.id, values={"change": "raise", "rounding": "exact"}, options=options)]
    currency, amount = settings.shop.currency, _amount(stored["amount"])
    values = {
        **{name: stored[name] for name in ("change", "rounding", "reason")},
        "amount": None if amount is None else money.to_minor(amount, currency),
        "percent": stored["percent"] or "",
        "startsAt": stored["starts_at"],
        "endsAt": stored["ends_at"],
    }
    rule = calls.preview_prices.form(view.id, values=values, options=options)
    changed = view.states.get("chosen", 0)
    if not changed or not has_preview(stored):
        return [rule]
    question = (
        f"{_named(view, f'{count_text(changed)} {_noun(view, changed)}')}. {calls.change_prices.options['question']}"
    )
    return [calls.change_prices.form(view.id, question=question, version=stored["number"]), rule]


def _roundings(settings: Settings) -> dict[str, str]:
    """Each with what it makes of one amount."""
    currency = settings.shop.currency
    words = {"exact": "To the smallest unit", "whole": "To a whole price", "nines": "To just below a whole price"}

    def example(rounding: price_rules.Rounding) -> str:
        amount = price_rules.rounded(Decimal("19.63") * money.price_scale(currency), rounding, currency)
        return money_text(money.to_minor(amount, currency), currency, settings.locale)

    return {name: f"{words[name]}: {example(name)}" for name in price_rules.ROUNDINGS}


def _named(view: BulkView, of_what: str) -> str:
    """What becomes of the prices, in words."""
    return str((view.pricing or {}).get("name", "")).format(of_what)


def _of_job(read: Callable[[JobView], T]) -> Callable[[BulkView], T | None]:
    return lambda view: None if view.job is None else read(view.job)


def _count(state: str) -> Column[BulkView]:
    """How many rows have come to this state, or would by a preview of prices."""

    def read(view: BulkView) -> int | None:
        if view.job is None:
            return view.states.get(state) if has_preview(view.pricing) else None
        return view.job.report.get(state)

    return cells.count(state, ROW_STATES[state], read)


def _of_rule(name: str) -> Callable[[BulkView], datetime | None]:
    """A time of the sale that a rule sets."""
    return lambda view: datetime.fromisoformat(view.pricing[name]) if view.pricing and view.pricing[name] else None


def _other(change_id: int | None) -> tuple[str, str] | None:
    return None if change_id is None else ("Show that change", f"{PATH}/{change_id}")


_FACTS: tuple[Column[BulkView], ...] = (
    cells.badge("state", "State", _of_job(lambda job: STATES[job.state])),
    cells.progress("progress", "Done", _of_job(lambda job: job.processed / int(job.input["number"]))),
    cells.text("prices", "New prices", lambda view: _named(view, "each") or None),
    cells.time("sale-from", "Sale from", _of_rule("starts_at")),
    cells.time("sale-until", "Sale until", _of_rule("ends_at")),
    cells.count("would", "Would change", lambda view: view.states.get("chosen") if _is_preview(view) else None),
    _count("changed"),
    _count("unchanged"),
    _count("refused"),
    cells.count("number", "Chosen", lambda view: view.number),
    cells.count("owners", "People with access", lambda view: view.owners if view.kind == "course" else None),
    cells.text("category", "New category", lambda view: None if view.undoes_id else view.category),
    cells.text("reason", "Reason", lambda view: view.reason or None),
    cells.time("begun", "Begun", _of_job(lambda job: job.created_at)),
    cells.time("ended", "Ended", _of_job(lambda job: job.ended_at)),
    cells.time("undo", "Can be undone until", lambda view: view.undoable_until if view.may_be_undone else None),
    cells.text("by", "Chosen by", lambda view: view.chosen_by or None),
    cells.link("undoes", "Undoes", lambda view: _other(view.undoes_id)),
    cells.link("undone", "Undone by", lambda view: _other(view.undone_by)),
    cells.text("error", "Error", _of_job(lambda job: job.report.get("error"))),
)
