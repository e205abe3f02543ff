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
from domain.typed_values import read_day, read_percent
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

MAX_AUTH_AGE_S = 600
Short = Annotated[str, Field(max_length=30)]
YesNo = Literal["yes", "no"]


class ContractTerms(Strict):
    """As the form has them. Days are ISO 8601, the last one is included; `endsOn` "": no end agreed. `seats` "": as
    many as needed. `seatPrice` "": none is sold. `products`: a slug a line, with its own price after it if it has one.
    """

    startsOn: Short
    endsOn: Short = ""
    seats: Short = ""
    seatKind: Literal["person", "course"]
    seatPrice: Short = ""
    kind: Literal["percent", "amount", "price"]
    value: Short
    hasAllCourses: YesNo
    products: Annotated[str, Field(max_length=20_000)] = ""
    isRestricted: YesNo
    joinPolicy: Literal["invitation", "code", "domain"]
    isSelfService: YesNo
    startDays: Short
    idleDays: Short
    showsNames: YesNo
    freesCompleted: YesNo
    joiningGivesSeat: YesNo = "no"
    reason: Reason = ""


class NewContract(ContractTerms):
    """`organisation`: its slug."""

    organisation: Annotated[str, Field(max_length=191)]


class ContractChange(ContractTerms):
    """`version`: of the terms that the form showed."""

    version: Short


@call(
    "admin/contracts",
    NewContract,
    StaffOutcome,
    status=201,
    area="admin",
    permission=Permission.CONTRACTS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def create_contract(request: web.Request, body: NewContract) -> StaffOutcome:
    """Make a contract with an organisation, and its seats."""
    actor, currency = request[request_keys.ACTOR], request.app[SETTINGS].shop.currency
    draft, db = _draft(body, currency), request.app[DATABASE]
    await db.write_as(actor, contract_changes.create, body.organisation, draft, actor.at, body.reason)
    return StaffOutcome(text="The contract is made.")


@call(
    "admin/contracts/{id}/change",
    ContractChange,
    StaffOutcome,
    area="admin",
    permission=Permission.CONTRACTS_WRITE,
    max_auth_age_s=MAX_AUTH_AGE_S,
)
async def change_contract(request: web.Request, body: ContractChange) -> StaffOutcome:
    """Other terms from now on. 403 for terms that somebody has changed meanwhile, and for fewer seats than are used."""
    contract_id, actor, at = target(request)
    draft, version = _draft(body, request.app[SETTINGS].shop.currency), _number("version", body.version)
    db = request.app[DATABASE]
    await db.write_as(actor, contract_changes.change, contract_id, version, draft, at, reason=body.reason)
    return StaffOutcome(text="The terms are changed.")


def _draft(body: ContractTerms, currency: Currency) -> ContractDraft:
    """Raises InvalidInput."""
    starts = _day("startsOn", body.startsOn)
    last = _day("endsOn", body.endsOn) if body.endsOn else None
    return ContractDraft(
        starts_at=starts,
        ends_at=None if last is None else last.replace(hour=23, minute=59, second=59),
        seats=_number("seats", body.seats) if body.seats else None,
        seat_kind=body.seatKind,
        seat_price=_amount("seatPrice", body.seatPrice, currency) if body.seatPrice else None,
        kind=body.kind,
        value=_percent(body.value) if body.kind == "percent" else _amount("value", body.value, currency),
        products=_products(body.products, currency),
        has_all_courses=body.hasAllCourses == "yes",
        is_restricted=body.isRestricted == "yes",
        join_policy=body.joinPolicy,
        is_self_service=body.isSelfService == "yes",
        start_days=_number("startDays", body.startDays),
        idle_days=_number("idleDays", body.idleDays),
        shows_names=body.showsNames == "yes",
        frees_completed=body.freesCompleted == "yes",
        joining_gives_seat=body.joiningGivesSeat == "yes",
    )


def _products(text: str, currency: Currency) -> dict[str, Decimal | None]:
    found: dict[str, Decimal | None] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        slug, _, price = line.partition(" ")
        found[slug] = _amount("products", price, currency) if price.strip() else None
    return found


def _day(field: str, text: str) -> datetime:
    try:
        day = read_day(text)
    except ValueError:
        raise InvalidInput({field: "Write a day such as 2026-12-31."}) from None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _number(field: str, text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit() and len(text) <= 9):
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


def _amount(field: str, text: str, currency: Currency) -> Decimal:
    try:
        return money.parse(text.strip(), currency)
    except ValueError as error:
        raise InvalidInput({field: f"{error}."}) from None
