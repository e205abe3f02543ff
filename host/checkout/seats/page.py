"""/organization/seats/buy: a form for each contract whose seats the organisation buys itself, and, where no contract is
made by staff, one for seats of any course, which comes with a contract."""

from datetime import datetime
from typing import Unpack

from sqlalchemy.orm import Session

from domain import money
from domain.checkout import first_seats
from domain.checkout.first_seats import SoldCourse
from domain.display_text import day_text, money_text
from domain.organisations.contracts import ContractView, contracts_of
from domain.permissions import Tenant
from domain.routes import Page
from domain.seats.seat_rows import ACCESS_AFTER_END
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormOptions, StaffAction
from host.checkout import order_terms
from host.checkout.seats.api import PURPOSE, buy, buy_first
from host.loaders.areas import area_page
from host.loaders.ui.action_props import ActionPageProps, TextPart
from host.loaders.ui.table_spec import EmptyAction
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/organization/seats"
QUOTES_PATH = "/organization/quotes"
NOTHING = "Your contracts provide for no seats that you buy yourself. Ask us for another contract."
UNKNOWN = "The shop sells no seats of this course. Choose another one."


class BuySeatsProps(ActionPageProps):
    """`picksCourse`: seats of any course are sold; the picked one is in the address, as `course` of
    `path`. `beside`: a link to what else can be done, null: none."""

    picksCourse: bool
    path: str
    beside: EmptyAction | None


@page("organization-buy-seats")
async def load(request: PageRequest, route: Page) -> PageResult[BuySeatsProps]:
    """Raises ServiceUnavailable."""
    slug = request.query.get("course", "")
    contracts, picks_course, course = await request.db.read(sold_now, request.tenant, slug, request)
    actions = [_more(request, row) for row in contracts if row.sells_seats(request.at)]
    if course is not None:
        actions.insert(0, _first(request, course))
    props: BuySeatsProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": PATH,
        "backText": "All seats",
        "facts": [],
        "texts": texts_of(is_unknown=bool(slug) and course is None, is_empty=not actions and not picks_course),
        "tables": [],
        "actions": actions,
        "picksCourse": picks_course,
        "path": request.path,
        "beside": quote_link(course) if actions or picks_course else None,
    }
    return area_page.page(request, route, props)


def quote_link(course: SoldCourse | None) -> EmptyAction:
    return {"text": "Get a quote", "href": f"{QUOTES_PATH}/new{'' if course is None else f'?course={course.slug}'}"}


def sold_now(
    session: Session, tenant: Tenant, slug: str, request: PageRequest
) -> tuple[tuple[ContractView, ...], bool, SoldCourse | None]:
    """The contracts, whether seats of any course are sold, and the course with this slug if they are of it."""
    picks_course = first_seats.are_sold(session, tenant, request.settings.seat_term_days, request.at)
    course = first_seats.sold_course(session, slug, request.at) if slug and picks_course else None
    return contracts_of(session, tenant), picks_course, course


def texts_of(*, is_unknown: bool, is_empty: bool) -> list[TextPart]:
    """What the page says instead of a form."""
    if is_empty:
        return [{"id": "nothing", "title": "No seats to buy", "text": NOTHING}]
    return [{"id": "unknown", "title": "No seats of this course", "text": UNKNOWN}] if is_unknown else []


def _more(request: PageRequest, row: ContractView) -> Action:
    currency = request.settings.shop.currency
    unit = money.to_minor(row.seat_price or money.from_minor(0, currency), currency)
    title = contract_title(row)
    text = f"{term_text(row, request.at)} {_price_text(request, unit)}"
    return _form(request, buy, unit, id=f"buy-{row.id}", title=title, text=text, values={"contract": row.id})


def contract_title(row: ContractView) -> str:
    named = f": {isolated(row.products[0].name)}" if len(row.products) == 1 and not row.has_all_courses else ""
    return f"Contract from {day_text(row.starts_at)}{named}"


def term_text(row: ContractView, at: datetime) -> str:
    """For how long the seats can be used."""
    days = row.days_left(at)
    if row.ends_at is None or days is None:
        return "The contract has no end."
    left = "1 day" if days == 1 else f"{days} days"
    after = ACCESS_AFTER_END.days
    return f"The contract ends on {day_text(row.ends_at)}, in {left}; access by its seats ends {after} days later."


def _first(request: PageRequest, course: SoldCourse) -> Action:
    unit, days = money.to_minor(course.price, request.settings.shop.currency), request.settings.seat_term_days
    text = (
        f"A seat is for one person. With the payment a contract for {days} days begins: you invite people, give the "
        f"seats out, and take back what nobody uses. {_price_text(request, unit)}"
    )
    title, key = f"Seats: {isolated(course.name)}", f"buy-first-{course.slug}"
    values = {"course": course.slug, "showsNames": "no", "joiningGivesSeat": "no"}
    return _form(request, buy_first, unit, id=key, title=title, text=text, values=values)


def _price_text(request: PageRequest, unit: int) -> str:
    price = money_text(unit, request.settings.shop.currency, request.settings.locale)
    return (
        f"{price} for a seat, before tax that your address adds. You see the total on the page where you pay. Seats "
        "that nobody has can be refunded."
    )


def _form(request: PageRequest, declared: StaffAction, unit: int, **options: Unpack[FormOptions]) -> Action:
    policy = order_terms.policy(request.site)
    texts = {
        "key": request.form_key(PURPOSE),
        "unitMinor": unit,
        "quantity": 10,
        "payment": "card",
        "terms": policy.date,
    }
    options["values"] = {**texts, **options.get("values", {})}
    if request.settings.bank_account is None:
        options["without"] = ["payment"]
    options["labels"] = {"terms": f"{isolated(policy.title)}: I have read it and agree"}
    options["hrefs"] = {"terms": policy.href}
    return declared.form(**options)
