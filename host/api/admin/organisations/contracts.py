"""Calls about contracts of organisations: making one, and other terms for one."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal

from aiohttp import web
from pydantic import Field

from domain import money
from domain.errors import InvalidInput
from domain.money import Currency
from domain.organisations import contract_changes
from domain.organisations.contract_changes import ContractDraft
from domain.permissions import Permission
from domain.seats.seat_rows import ACCESS_AFTER_END
from domain.typed_values import is_number, read_day, read_percent
from host.api.admin.actions import ORGANISATIONS, FormField, action
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import SAFE, WHOLE, Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

MAX_AUTH_AGE_S = 600
YES_NO = {"yes": "Yes", "no": "No"}
POLICIES = {"invitation": "By invitation", "code": "By code too", "domain": "By email domain too"}
SEAT_KINDS = {"person": "A person", "course": "A person and a course"}
KINDS = {"percent": "Percent off", "amount": "Amount off", "price": "Price of each"}
YesNo = Literal["yes", "no"]
Day = Annotated[str, Field(max_length=10)]
Amount = Annotated[str, Field(max_length=20)]
Days = Annotated[str, Field(max_length=4)]
PRODUCTS = "The short name of a product a line, with its own price after it: vat-basics 39.00"


class ContractTerms(Strict):
    """As the form has them. Days are ISO 8601, the last one is included; `endsOn` "": no end agreed. `seats` "": as
    many as needed. `seatPrice` "": none is sold. `products`: a slug a line, with its own price after it if it has one.
    """

    startsOn: Annotated[Day, FormField("First day", hint="Such as 2026-01-31.")]
    endsOn: Annotated[Day, FormField("Last day", hint="Empty: no end agreed.")] = ""
    seats: Annotated[str, Field(max_length=6), FormField("Seats", hint="Empty: as many as needed.")] = ""
    seatKind: Annotated[Literal["person", "course"], FormField("A seat is for", options=SEAT_KINDS)]
    seatPrice: Annotated[Amount, FormField("Price of a seat", hint="Empty: none is sold.")] = ""
    isSelfService: Annotated[YesNo, FormField("Owners buy more seats themselves", options=YES_NO)]
    kind: Annotated[Literal["percent", "amount", "price"], FormField("Prices of members", options=KINDS)]
    value: Annotated[Amount, FormField("By how much")]
    hasAllCourses: Annotated[YesNo, FormField("Covers all courses", options=YES_NO)]
    products: Annotated[str, Field(max_length=20_000), FormField("Products", "products", hint=PRODUCTS)] = ""
    isRestricted: Annotated[YesNo, FormField("Members see only these", options=YES_NO)]
    joinPolicy: Annotated[Literal["invitation", "code", "domain"], FormField("How people join", options=POLICIES)]
    joiningGivesSeat: Annotated[
        YesNo,
        FormField("Joining by code or email domain gives a seat", options=YES_NO, is_required=True),
    ] = "no"
    startDays: Annotated[Days, FormField("Days to start a seat")]
    idleDays: Annotated[Days, FormField("Idle days before a notice")]
    freesCompleted: Annotated[YesNo, FormField("A completed seat is free again", options=YES_NO)]
    showsNames: Annotated[YesNo, FormField("Reports name members who agreed", options=YES_NO)]
    reason: Annotated[Reason, FormField("Reason", hint="For the record.")] = ""


class OfOrganisation(Strict):
    """`organisation`: its slug."""

    organisation: Annotated[
        str,
        Field(max_length=191),
        FormField("Organisation", "pick", hint="A part of its name.", source=ORGANISATIONS),
    ]


class NewContract(ContractTerms, OfOrganisation):
    """Terms and whose they are."""


class ContractChange(ContractTerms):
    """`version`: of the terms that the form showed."""

    version: Annotated[int, Field(ge=0, le=SAFE), WHOLE]


@action(
    "admin/contracts",
    NewContract,
    "Terms",
    "Make contract",
    status=201,
    permission=Permission.CONTRACTS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def create_contract(request: web.Request, body: NewContract) -> StaffOutcome:
    """Make a contract with an organisation, and its seats."""
    actor, currency = request[request_keys.ACTOR], request.app[SETTINGS].shop.currency
    draft, db = _draft(body, currency), request.app[DATABASE]
    await db.write_as(actor, contract_changes.create, body.organisation, draft, actor.at, body.reason)
    return StaffOutcome(text="The contract is made.")


@action(
    "admin/contracts/{id}/change",
    ContractChange,
    "Change the terms",
    "Change terms",
    text=f"They hold from now on. Access by its seats follows the last day, {ACCESS_AFTER_END.days} days longer.",
    permission=Permission.CONTRACTS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def change_contract(request: web.Request, body: ContractChange) -> StaffOutcome:
    """Other terms from now on. 403 for terms that somebody has changed meanwhile, and for fewer seats than are used."""
    contract_id, actor, at = target(request)
    draft, db = _draft(body, request.app[SETTINGS].shop.currency), request.app[DATABASE]
    await db.write_as(actor, contract_changes.change, contract_id, body.version, draft, at, reason=body.reason)
    return StaffOutcome(text="The terms are changed.")


def _draft(body: ContractTerms, currency: Currency) -> ContractDraft:
    """Raises InvalidInput."""
    starts = _day("startsOn", body.startsOn)
    last = _day("endsOn", body.endsOn) if body.endsOn else None
    return ContractDraft(
        starts_at=starts,
        ends_at=None if last is None else last.replace(hour=23, minute=59, second=59),
        seats=number_of("seats", body.seats) if body.seats else None,
        seat_kind=body.seatKind,
        seat_price=amount_of("seatPrice", body.seatPrice, currency) if body.seatPrice else None,
        kind=body.kind,
        value=_percent(body.value) if body.kind == "percent" else amount_of("value", body.value, currency),
        products=_products(body.products, currency),
        has_all_courses=body.hasAllCourses == "yes",
        is_restricted=body.isRestricted == "yes",
        join_policy=body.joinPolicy,
        is_self_service=body.isSelfService == "yes",
        start_days=number_of("startDays", body.startDays),
        idle_days=number_of("idleDays", body.idleDays),
        shows_names=body.showsNames == "yes",
        frees_completed=body.freesCompleted == "yes",
        joining_gives_seat=body.joiningGivesSeat == "yes",
    )


def _products(text: str, currency: Currency) -> dict[str, Decimal | None]:
    found: dict[str, Decimal | None] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        slug, _, price = line.partition(" ")
        found[slug] = amount_of("products", price, currency) if price.strip() else None
    return found


def _day(field: str, text: str) -> datetime:
    try:
        day = read_day(text)
    except ValueError:
        raise InvalidInput({field: "Write a day such as 2026-12-31."}) from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def number_of(field: str, text: str) -> int:
    """A whole number as typed. Raises InvalidInput."""
    if not is_number(text.strip(), 9):
        raise InvalidInput({field: "Write a whole number."})
    return int(text)


def _percent(text: str) -> Decimal:
    try:
        value = read_percent(text)
    except ValueError:
        raise InvalidInput({"value": "Write a percentage such as 12.5."}) from None
    if value < 0:
        raise InvalidInput({"value": "Write a percentage from 0 to 100."})
    return value


def amount_of(field: str, text: str, currency: Currency) -> Decimal:
    """An amount as typed. Raises InvalidInput."""
    try:
        return money.parse(text.strip(), currency)
    except ValueError as error:
        raise InvalidInput({field: f"{error}."}) from None
