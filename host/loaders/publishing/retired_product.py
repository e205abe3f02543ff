"""/admin/retired/{id}: what the page of one retired course or item answers, and deciding it."""

from typing import Unpack

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.catalogue.retirement_rules import CHOICES, RetirementChoice
from domain.display_text import count_text
from domain.publishing.editing.retired_list import RetiredRow
from domain.publishing.retirement import views
from domain.publishing.retirement.views import RetiredProduct
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.visits.product_visits import MonthVisits
from host.api.admin.actions import Action, FormOptions
from host.api.admin.catalogue.retirement import decide_page
from host.loaders.areas import area_page
from host.loaders.areas.audit_table import events_table
from host.loaders.publishing import retired
from host.loaders.publishing.course_frame import path_id
from host.loaders.publishing.retired import PATH, product_path
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, TextPart
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.urls import href_of

_SHOWN_NOW = "Visitors get it from now on."
# Choice -> title, what happens then, and the button.
_BY_HAND: dict[RetirementChoice, tuple[str, str, str]] = {
    "landing": (
        "Keep the landing page",
        "The page stays, without an offer and with its successor, and search engines may list it, "
        "however few people visit it.",
        "Keep the page",
    ),
    "redirect": (
        "Redirect to the successor",
        "Whoever opens the page comes to its successor (301), and search engines list the successor instead. "
        "If the successor is no longer sold, the page is shown again, but search engines do not list it.",
        "Redirect",
    ),
    "gone": (
        "Answer that it is gone",
        "The page answers that the {kind} is no longer offered (410), and search engines remove it.",
        "Answer 410",
    ),
}
_ITEM_REDIRECT = (
    "Whoever opens the page comes to its successor (301). If the successor is no longer sold, it answers 410."
)


class RetiredProductProps(ActionPageProps):
    """`visits`: of people to its page, by month."""

    visits: ChartProps


@page("admin-retired-product")
async def load(request: PageRequest, route: Page) -> PageResult[RetiredProductProps]:
    """Raises NotFound, ServiceUnavailable."""
    product_id = path_id(request, "id", "There is no such retired course or item.")
    today = request.settings.day_rules.day_of(request.at)

    def read(session: Session) -> tuple[RetiredProduct, list[AuditEntry]]:
        found = views.retired_product(session, product_id, request.at, today)
        return found, [*subject_entries(session, Subject(found.row.kind, product_id))]

    product, events = await request.db.read(read)
    row = product.row
    props: RetiredProductProps = {
        "title": route.title,
        "heading": row.name,
        "backHref": PATH,
        "backText": "All that is retired",
        "facts": [*facts(_OF_ROW, row), *facts(_OF_PRODUCT, product), *facts(_OF_RETIREMENT, row)],
        "texts": [_proposal_text(product)],
        "actions": _actions(product),
        "tables": [events_table(events)],
        "visits": _chart(product.months),
    }
    return area_page.page(request, route, props)


def _proposal_text(product: RetiredProduct) -> TextPart:
    wanted, row = product.proposal, product.row
    answer = retired.ANSWERS[wanted.choice][0]
    if row.choice == wanted.choice:
        state = "It is decided so."
    elif row.choice != "auto":
        state = "It was decided otherwise."
    elif row.status == wanted.choice:
        state = "By the rule it answers so today."
    else:
        state = "By the rule it answers otherwise."
    return {"id": "proposal", "title": f"Proposal: {answer[0].lower()}{answer[1:]}", "text": f"{wanted.reason} {state}"}


def _actions(product: RetiredProduct) -> list[Action]:
    row, wanted = product.row, product.proposal
    by_hand = [
        _by_hand(product, choice)
        for choice in CHOICES[row.kind]
        if choice != "auto" and choice not in (row.choice, wanted.choice)
    ]
    accepting = [] if row.choice == wanted.choice else [_accepting(product)]
    returning = [] if row.choice == "auto" else [_returning(product)]
    return [*accepting, *returning, *by_hand]


def _accepting(product: RetiredProduct) -> Action:
    wanted = product.proposal
    title, text, button = _words(product, wanted.choice)
    return _form(
        product,
        wanted.choice,
        id="accept",
        title=f"Accept the proposal: {title[0].lower()}{title[1:]}",
        text=text,
        button=f"Accept: {button[0].lower()}{button[1:]}",
        values={"reason": wanted.reason},
        fixed=("reason",),
    )


def _by_hand(product: RetiredProduct, choice: RetirementChoice) -> Action:
    title, text, button = _words(product, choice)
    hint = f"The address of another published {product.row.kind}."
    return _form(
        product,
        choice,
        id=choice,
        title=title,
        text=text,
        button=button,
        hints={"successor": hint},
        values={"successor": product.named_successor},
        without=() if choice == "redirect" else ("successor",),
    )


def _returning(product: RetiredProduct) -> Action:
    text = (
        "A course keeps its page while people visit it; after 12 months without a visit it leaves search engines, "
        "and without a successor it answers 410."
        if product.row.kind == "course"
        else "An item redirects to its successor; without one it answers 410."
    )
    title, button = "Leave it to the rule again", "Leave it to the rule"
    return _form(product, "auto", id="auto", title=title, text=text, button=button, without=("successor", "reason"))


def _form(product: RetiredProduct, choice: RetirementChoice, **options: Unpack[FormOptions]) -> Action:
    options["version"], options["values"] = product.version, {**options.get("values", {}), "choice": choice}
    options["question"] = f"{options['text']} {_SHOWN_NOW}"
    options["is_dangerous"] = choice in ("redirect", "gone")
    options["without"] = options.get("without", ("successor",))
    return decide_page.form(product.row.id, **options)


def _words(product: RetiredProduct, choice: RetirementChoice) -> tuple[str, str, str]:
    title, text, button = _BY_HAND[choice]
    if choice == "redirect" and product.row.kind == "item":
        return title, _ITEM_REDIRECT, button
    return title, text.format(kind=product.row.kind), button


def _chart(months: list[MonthVisits]) -> ChartProps:
    values: list[int | float | None] = [month.visits for month in months]
    return {
        "kind": "line",
        "title": "Visits to its page",
        "summary": f"{count_text(sum(month.visits or 0 for month in months))} in 12 months.",
        "unit": "count",
        "unitLabel": "Visits of people",
        "period": f"{months[0].month} to {months[-1].month}",
        "points": {"kind": "month", "labels": [month.month for month in months]},
        "series": [{"label": "Visits", "values": values}],
        "unfinishedFrom": len(months) - 1,
        "empty": "No day of visits was computed yet.",
        "csvHref": None,
    }


def _address(product: RetiredProduct) -> tuple[str, str]:
    address = href_of(product.row.kind, product.row.id, product.slug)
    return address, address


def _successor(product: RetiredProduct) -> tuple[str, str] | None:
    target, name = product.successor, product.row.successor
    return None if target is None or name is None else (name, href_of(target.kind, target.id, target.slug))


_OF_ROW: tuple[Column[RetiredRow], ...] = (
    *(retired.PAGE, retired.DECIDED_BY),
    cells.text("decision", "Reason of the decision", lambda row: row.choice_reason or None),
    *(retired.CHANGES_ON, retired.CHANGES_TO),
    cells.time("active", "Its page was last in use", lambda row: row.last_active_at),
)
_OF_PRODUCT: tuple[Column[RetiredProduct], ...] = (
    cells.link("successor", "Successor on sale", _successor),
    cells.link("shop", "Address", _address),
    cells.link("edit", "Its texts", lambda product: ("Edit", product_path(product.row))),
)
_OF_RETIREMENT: tuple[Column[RetiredRow], ...] = (
    *(retired.KIND, retired.RETIRED, retired.REASON, retired.OWNERS, retired.CLOSES),
)
