"""/organization/quotes, …/new and …/{id}: what seats would cost the organisation, asking for it, and accepting it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from domain import money
from domain.checkout.first_seats import SoldCourse
from domain.checkout.form_fields import PARTS
from domain.display_text import count_text, day_text, money_text
from domain.organisations.contracts import ContractView
from domain.permissions import Permission, permissions_of
from domain.quotes import quote_views
from domain.quotes.quote_views import QuoteView
from domain.routes import Page
from domain.text_direction import isolated
from domain.typed_values import is_number
from host.api.admin.actions import Action
from host.checkout import order_terms
from host.checkout.seats.api import WAYS
from host.checkout.seats.page import BuySeatsProps, contract_title, sold_now, term_text, texts_of
from host.checkout.seats.quote_calls import PATH, accept, ask, withdraw
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.page_ids import number
from host.loaders.support.quote_texts import CONTENT_COLUMNS, FILE_COLUMNS, STATES, quote_facts
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, TextPart
from host.loaders.ui.table_spec import EmptyAction, TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

ASK: EmptyAction = {"text": "Get a quote", "href": f"{PATH}/new"}
USUAL_QUANTITY = 10


def _now() -> datetime:
    return datetime.now(UTC)


LIST = AreaList(
    TableSpec(
        caption="Quotes",
        source=quote_views.organisation_quotes(_now),
        names_people=True,
        columns=(
            cells.link("number", "Number", lambda row: (row.number, f"{PATH}/{row.id}")),
            *CONTENT_COLUMNS,
            cells.text("person", "Asked for by", lambda row: row.person or None),
            *FILE_COLUMNS,
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No quotes yet",
            "text": "A quote says what seats cost your organisation, with tax, and holds its price for some weeks.",
            "action": ASK,
        },
    ),
    links=(ASK,),
)
list_page("organization-quotes", LIST)


class QuotePageProps(ActionPageProps):
    """`beside`: asking again, of a quote that cannot be accepted; null: nothing."""

    beside: EmptyAction | None


@page("organization-quote-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[BuySeatsProps]:
    """With `again` the form is filled in as for that quote. Raises NotFound for one of others, ServiceUnavailable."""
    former, (contracts, picks_course, course) = await request.db.read(_read_new, request)
    values = {} if former is None else _values(former)
    actions = [_ask_further(request, row, values) for row in contracts if row.sells_seats(request.at)]
    if former is not None:
        actions = [one for one in actions if one["id"] == f"quote-{former.contract_id}"]
    if course is not None:
        actions.insert(0, _ask_first(request, course, values))
    slug = request.query.get("course", "") or (former.course if former is not None else "")
    props: BuySeatsProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": PATH,
        "backText": "All quotes",
        "facts": [],
        "texts": texts_of(is_unknown=bool(slug) and course is None, is_empty=not actions and not picks_course),
        "tables": [],
        "actions": actions,
        "picksCourse": picks_course,
        "path": request.path,
        "beside": None,
    }
    return area_page.page(request, route, props)


def _read_new(
    session: Session, request: PageRequest
) -> tuple[QuoteView | None, tuple[tuple[ContractView, ...], bool, SoldCourse | None]]:
    text, former = request.query.get("again", ""), None
    if is_number(text):
        former = quote_views.quote_of(session, request.tenant, int(text), None, request.at)
    slug = request.query.get("course", "") or (former.course if former is not None else "")
    return former, sold_now(session, request.tenant, slug, request)


def _values(former: QuoteView) -> dict[str, Any]:
    """What the form had."""
    parts = {f"billing.{name}": former.values.get(name, "") for name in (*PARTS, "vat_id")}
    order = {"billing.purchase_order": former.purchase_order}
    return {"quantity": former.quantity, **order, **{name: text for name, text in parts.items() if text}}


def _ask_first(request: PageRequest, course: SoldCourse, values: Mapping[str, Any]) -> Action:
    term = f"The seats can be used for {count_text(request.settings.seat_term_days)} days from the payment on."
    unit = money.to_minor(course.price, request.settings.shop.currency)
    return ask.form(
        id=f"quote-{course.slug}",
        title=f"Seats: {isolated(course.name)}",
        text=f"{_price_text(request, unit)} {term}",
        values={"quantity": USUAL_QUANTITY, **values, "course": course.slug},
        without=("contract",),
    )


def _ask_further(request: PageRequest, row: ContractView, values: Mapping[str, Any]) -> Action:
    currency = request.settings.shop.currency
    unit = money.to_minor(row.seat_price or money.from_minor(0, currency), currency)
    return ask.form(
        id=f"quote-{row.id}",
        title=contract_title(row),
        text=f"{_price_text(request, unit)} {term_text(row, request.at)}",
        values={"quantity": USUAL_QUANTITY, **values, "contract": row.id},
        without=("course",),
    )


def _price_text(request: PageRequest, unit: int) -> str:
    price = money_text(unit, request.settings.shop.currency, request.settings.locale)
    days = count_text(request.settings.quote_days)
    return f"{price} for a seat. The quote says the total with tax, and holds this price for {days} days."


@page("organization-quote")
async def load(request: PageRequest, route: Page) -> PageResult[QuotePageProps]:
    """Raises NotFound, ServiceUnavailable."""
    learner_id = None if request.actor is None else request.actor.learner_id
    found = await request.db.read(quote_views.quote_of, request.tenant, number(request), learner_id, request.at)
    can_write = _may_buy(request)
    props: QuotePageProps = {
        "title": route.title,
        "heading": f"Quote {found.number}",
        "backHref": PATH,
        "backText": "All quotes",
        "facts": quote_facts(found, order_href=f"/order/{found.order}" if found.is_own_order else ""),
        "texts": _texts(request, found),
        "tables": [],
        "actions": _actions(request, found) if can_write else [],
        "beside": _again(found) if can_write else None,
    }
    return area_page.page(request, route, props)


def _may_buy(request: PageRequest) -> bool:
    actor = request.actor
    return actor is not None and Permission.PURCHASES_WRITE in permissions_of(actor.area, actor.roles)


def _again(found: QuoteView) -> EmptyAction | None:
    return {"text": "Ask again", "href": f"{PATH}/new?again={found.id}"} if found.refusal else None


def _texts(request: PageRequest, found: QuoteView) -> list[TextPart]:
    if found.refusal:
        return [{"id": "refusal", "title": "This quote cannot be accepted", "text": found.refusal}]
    now = found.now
    if now is None or now.total_minor == found.total:
        return []
    currency, locale = request.settings.shop.currency, request.settings.locale
    before, total, tax = (money_text(one, currency, locale) for one in (found.total, now.total_minor, now.tax_minor))
    text = (
        f"Tax is that of the day of supply, and has changed since this quote was made: it is {tax} now. The total is "
        f"{total} instead of {before}; the price of a seat is that of the quote."
    )
    return [{"id": "tax", "title": "Another total", "text": text}]


def _actions(request: PageRequest, found: QuoteView) -> list[Action]:
    if found.now is None:
        return []
    return [_accept(request, found, found.now.total_minor), withdraw.form(found.id)]


def _accept(request: PageRequest, found: QuoteView, total: int) -> Action:
    policy = order_terms.policy(request.site)
    amount = money_text(total, request.settings.shop.currency, request.settings.locale)
    without = ["showsNames", "joiningGivesSeat"] if found.is_of_contract else []
    has_account = request.settings.bank_account is not None
    if not has_account:
        without.append("payment")
    largest = order_terms.payable_settings(request.settings).largest_payment_minor
    needs_transfer = has_account and largest is not None and total > largest
    too_large = " It is more than a card can pay at once." if needs_transfer else ""
    return accept.form(
        found.id,
        text=f"You order for {amount}.{too_large} The next page says how to pay. The quote can be accepted until "
        f"{day_text(found.last_day, request.settings.locale)}.",
        options={"payment": {"transfer": WAYS["transfer"]}} if needs_transfer else {},
        values={
            "totalMinor": total,
            "payment": "transfer" if needs_transfer else "card",
            "purchaseOrder": found.purchase_order,
            "showsNames": "no",
            "joiningGivesSeat": "no",
            "terms": policy.date,
        },
        labels={"terms": f"{isolated(policy.title)}: I have read it and agree"},
        hrefs={"terms": policy.href},
        without=without,
        required=("showsNames", "joiningGivesSeat"),
    )
