"""Actions on tax rates: adding one after a look at what it does, giving one a last day, and taking back one that has
not begun."""

from datetime import date
from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.display_text import day_text
from domain.errors import InvalidInput
from domain.permissions import Permission
from domain.postal_addresses.countries import countries
from domain.rates import tax_effects, tax_rates
from domain.rates.tax_rates import CLASSES, MAX_LABEL
from domain.tax.context import TaxClass
from domain.typed_values import read_day
from host.api.admin.actions import FormField, action
from host.api.admin.outcome import ActionPreview, Reason, StaffOutcome, target
from host.api.fields import Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

WRITE = Permission.PRICES_WRITE
Day = Annotated[str, Field(max_length=10)]
PostalCode = Annotated[str, Field(max_length=20)]
Why = Annotated[Reason, FormField("Reason", hint="For the record.")]
_COUNTRIES = {"": "Choose a country", **countries()}
_AREA = "As addresses have it, such as QC or Quebec. Empty: the whole country."
_CODES = "How they begin, such as 90. Empty: all of them."
_REPLACES = "In place of the less exact rates of the place, such as those of the whole country; else they are added up."


class NewTaxRate(Strict):
    """Days are ISO 8601, the last one is included; `startsOn` "": today; `endsOn` "": no end."""

    country: Annotated[str, Field(max_length=2), FormField("Country", "choice", options=_COUNTRIES)]
    region: Annotated[str, Field(max_length=200), FormField("Area", hint=_AREA)] = ""
    postalFrom: Annotated[PostalCode, FormField("Postal codes from", hint=_CODES)] = ""
    postalTo: Annotated[PostalCode, FormField("Postal codes to", hint="Empty: as the first.")] = ""
    taxClass: Annotated[TaxClass, FormField("Class", options=dict(CLASSES))]
    label: Annotated[str, Field(max_length=MAX_LABEL), FormField("Name on documents", hint="Such as VAT.")]
    percent: Annotated[
        str, Field(max_length=12), FormField("Percent", "percent", hint="0 for an exception without tax.")
    ]
    replaces: Annotated[bool, FormField("Replaces others", hint=_REPLACES)] = False
    startsOn: Annotated[Day, FormField("First day", "day", hint="Empty: today.")] = ""
    endsOn: Annotated[Day, FormField("Last day", "day", hint="Empty: no end.")] = ""
    reason: Why = ""

    @property
    def typed(self) -> dict[str, str]:
        return {**self.model_dump(exclude={"reason"}), "replaces": "yes" if self.replaces else "no"}


class RateEnd(Strict):
    """`endsOn`: the last day, "" for no end."""

    endsOn: Annotated[Day, FormField("Last day", "day", hint="Today or later. Empty: no end.")] = ""
    reason: Why = ""


def last_day(body: RateEnd) -> date | None:
    """Raises InvalidInput."""
    try:
        return read_day(body.endsOn) if body.endsOn.strip() else None
    except ValueError:
        raise InvalidInput({"endsOn": "Write a day such as 2026-12-31."}) from None


class RateWithdrawal(Strict):
    reason: Why = ""


@action(
    "admin/tax-rates",
    NewTaxRate,
    "Add a tax rate",
    "Add the rate",
    status=201,
    permission=WRITE,
    text="Orders keep the rates that they were charged. What the rate does is shown before it is added.",
)
async def add_tax_rate(request: web.Request, body: NewTaxRate) -> StaffOutcome:
    """Add a rate. One of the same name, place and class that still holds on its first day ends on the day before."""
    actor = request[request_keys.ACTOR]
    today = actor.at.date()
    draft = tax_rates.read_draft(body.typed, today)
    await request.app[DATABASE].write_as(actor, tax_rates.add, draft, today, body.reason)
    return StaffOutcome(text="The rate is added.")


@add_tax_rate.preview("confirmed")
async def preview_tax_rate(request: web.Request, body: NewTaxRate) -> ActionPreview:
    """What the rate would do, with what 100.00 would cost. Stores nothing."""
    today, shop = request[request_keys.ACTOR].at.date(), request.app[SETTINGS].shop
    draft = tax_rates.read_draft(body.typed, today)
    return ActionPreview(effects=await request.app[DATABASE].read(tax_effects.effects, draft, today, shop))


@action(
    "admin/tax-rates/{id}/end",
    RateEnd,
    "Last day",
    "Save the last day",
    permission=WRITE,
    text="Orders until then are charged by it. Where no other rate holds after it, no tax is charged.",
)
async def end_tax_rate(request: web.Request, body: RateEnd) -> StaffOutcome:
    """Give a rate a last day, today or later, or none. 403 for a rate that has ended."""
    rate_id, actor, at = target(request)
    last, db = last_day(body), request.app[DATABASE]
    await db.write_as(actor, tax_rates.set_last_day, rate_id, last, at.date(), body.reason)
    return StaffOutcome(text="The rate has no end now." if last is None else f"The rate ends on {day_text(last)}.")


@action(
    "admin/tax-rates/{id}/withdraw",
    RateWithdrawal,
    "Take it back",
    "Take it back",
    permission=WRITE,
    question="It is deleted. A rate that ends for its sake still ends: give that one another last day.",
    is_dangerous=True,
)
async def withdraw_tax_rate(request: web.Request, body: RateWithdrawal) -> StaffOutcome:
    """Delete a rate that has not begun. 403 for one that has."""
    rate_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, tax_rates.withdraw, rate_id, at.date(), body.reason)
    return StaffOutcome(text="The rate is taken back.")
