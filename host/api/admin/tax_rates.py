"""Calls about tax rates: adding one after a look at what it does, giving one a last day, and taking back one that has
not begun."""

from typing import Annotated
from urllib.parse import urlencode

from aiohttp import web
from pydantic import Field

from domain.errors import InvalidInput
from domain.permissions import Permission
from domain.rates import tax_effects, tax_rates
from domain.typed_values import read_day
from host.api.admin.outcome import Reason, StaffOutcome, target
from host.api.fields import Strict
from host.api.registry import call
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

PATH = "/admin/tax-rates"
Short = Annotated[str, Field(max_length=200)]


class TaxRateTerms(Strict):
    """As the form has them, by `tax_rates.FIELDS`. Days are ISO 8601, the last one is included; `startsOn` "": today;
    `endsOn` "": no end."""

    country: Short
    region: Short = ""
    taxClass: Short
    label: Short
    percent: Short
    startsOn: Short = ""
    endsOn: Short = ""
    replaces: Short = ""
    postalFrom: Short = ""
    postalTo: Short = ""


class NewTaxRate(TaxRateTerms):
    reason: Reason = ""


class TaxRateEnd(Strict):
    """`endsOn`: the last day, "" for no end."""

    endsOn: Short = ""
    reason: Reason = ""


class TaxRateWithdrawal(Strict):
    reason: Reason = ""


@call("admin/tax-rates/check", TaxRateTerms, StaffOutcome, area="admin", permission=Permission.PRICES_WRITE)
async def check_tax_rate(request: web.Request, body: TaxRateTerms) -> StaffOutcome:
    """Check the values of a rate. `href` leads to what it would do; nothing is changed."""
    actor, shop = request[request_keys.ACTOR], request.app[SETTINGS].shop
    values = {name: value.strip() for name, value in body.model_dump().items() if value.strip()}
    draft = tax_rates.read_draft(values, actor.at.date())
    await request.app[DATABASE].read(tax_effects.effects, draft, actor.at.date(), shop)
    return StaffOutcome(text="Nothing is changed yet.", href=f"{PATH}/new?{urlencode(values)}")


@call("admin/tax-rates", NewTaxRate, StaffOutcome, status=201, area="admin", permission=Permission.PRICES_WRITE)
async def add_tax_rate(request: web.Request, body: NewTaxRate) -> StaffOutcome:
    """Add a rate. One of the same name, place and class that still holds on its first day ends on the day before."""
    actor = request[request_keys.ACTOR]
    today = actor.at.date()
    draft = tax_rates.read_draft(body.model_dump(exclude={"reason"}), today)
    await request.app[DATABASE].write_as(actor, tax_rates.add, draft, today, body.reason)
    return StaffOutcome(text="The rate is added.")


@call("admin/tax-rates/{id}/end", TaxRateEnd, StaffOutcome, area="admin", permission=Permission.PRICES_WRITE)
async def end_tax_rate(request: web.Request, body: TaxRateEnd) -> StaffOutcome:
    """Give a rate a last day, today or later, or none. 403 for a rate that has ended."""
    rate_id, actor, at = target(request)
    try:
        last = read_day(body.endsOn) if body.endsOn.strip() else None
    except ValueError:
        raise InvalidInput({"endsOn": "Write a day such as 2026-12-31."}) from None
    db = request.app[DATABASE]
    await db.write_as(actor, tax_rates.set_last_day, rate_id, last, at.date(), body.reason)
    return StaffOutcome(text="The rate has no end now." if last is None else f"The rate ends on {last}.")


@call(
    "admin/tax-rates/{id}/withdraw",
    TaxRateWithdrawal,
    StaffOutcome,
    area="admin",
    permission=Permission.PRICES_WRITE,
)
async def withdraw_tax_rate(request: web.Request, body: TaxRateWithdrawal) -> StaffOutcome:
    """Delete a rate that has not begun. 403 for one that has."""
    rate_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, tax_rates.withdraw, rate_id, at.date(), body.reason)
    return StaffOutcome(text="The rate is taken back.")
