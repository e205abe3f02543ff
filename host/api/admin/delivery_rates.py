"""Actions on delivery rates: adding one after a look at what it does, giving one a last day, taking back one that has
not begun, and changing the countries of its zone."""

from typing import Annotated

from aiohttp import web
from pydantic import Field

from domain.display_text import day_text
from domain.money import Currency, from_minor
from domain.permissions import Permission
from domain.rates import delivery_rates, delivery_zones
from domain.rates.delivery_rates import MAX_NAME
from host.api.admin.actions import PLACES, FormField, action
from host.api.admin.outcome import ActionPreview, StaffOutcome, target
from host.api.admin.tax_rates import Day, RateEnd, RateWithdrawal, Why, last_day
from host.api.fields import Strict
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys

WRITE = Permission.PRICES_WRITE
Name = Annotated[str, Field(max_length=MAX_NAME)]
Grams = Annotated[int, Field(strict=True, ge=0, le=10**8)]
Days = Annotated[int, Field(strict=True, ge=0, le=1_000)]
Minor = Annotated[int, Field(strict=True, ge=0, le=10**12)]
_ZONE = "The name of one that is there, or of a new one."
_COUNTRIES = "Of a new zone: a part of the name, such as Aus; an area behind a comma, such as Canada, Q."
Places = Annotated[list[Annotated[str, Field(max_length=210)]], Field(max_length=300)]


class NewDeliveryRate(Strict):
    """Amounts in minor units of the shop's currency, days of delivery in working days. `countries`: of a new zone, by
    their codes, areas as AT-7; none for a zone that is there. `toGrams` null: any weight; `freeFrom` null: it always
    costs. `startsOn` "": today; `endsOn` "": no end."""

    zone: Annotated[Name, FormField("Zone", hint=_ZONE)]
    countries: Annotated[Places, Field(default_factory=list), FormField("Countries", hint=_COUNTRIES, source=PLACES)]
    service: Annotated[Name, FormField("Service", hint="As buyers choose it, such as Standard.")]
    fromGrams: Annotated[Grams, FormField("Lightest parcel in grams", hint="Empty: 0.")] = 0
    toGrams: Annotated[Grams | None, FormField("Heaviest parcel in grams", hint="Empty: any weight.")] = None
    price: Annotated[Minor, FormField("Price", "money")]
    freeFrom: Annotated[
        Minor | None, FormField("Costs nothing from", "money", hint="A sum of goods. Empty: it always costs.")
    ] = None
    daysMin: Annotated[Days, FormField("Working days at least")]
    daysMax: Annotated[Days, FormField("Working days at most")]
    startsOn: Annotated[Day, FormField("First day", "day", hint="Empty: today.")] = ""
    endsOn: Annotated[Day, FormField("Last day", "day", hint="Empty: no end.")] = ""
    reason: Why = ""

    def typed(self, currency: Currency) -> dict[str, str]:
        """The values as a file has them: `delivery_rates.read_draft` reads both."""
        amounts = {
            name: "" if minor is None else str(from_minor(minor, currency))
            for name, minor in (("price", self.price), ("freeFrom", self.freeFrom))
        }
        values = self.model_dump(exclude={"reason", "countries", *amounts})
        return amounts | {name: "" if value is None else str(value) for name, value in values.items()}


@action(
    "admin/delivery-rates",
    NewDeliveryRate,
    "Add a delivery rate",
    "Add the rate",
    status=201,
    permission=WRITE,
    text="Orders keep what they were charged. What the rate does is shown before it is added.",
)
async def add_delivery_rate(request: web.Request, body: NewDeliveryRate) -> StaffOutcome:
    """Add a rate, and its zone if that is new. One of the same service and weights ends on the day before."""
    actor, currency = request[request_keys.ACTOR], request.app[SETTINGS].shop.currency
    today = actor.at.date()
    zone, draft = delivery_rates.read_draft(body.typed(currency), currency, today, body.countries)
    await request.app[DATABASE].write_as(actor, delivery_rates.add, zone, draft, today, body.reason)
    return StaffOutcome(text="The rate is added.")


@add_delivery_rate.preview("confirmed")
async def preview_delivery_rate(request: web.Request, body: NewDeliveryRate) -> ActionPreview:
    """What the rate would do. Stores nothing."""
    today, currency = request[request_keys.ACTOR].at.date(), request.app[SETTINGS].shop.currency
    zone, draft = delivery_rates.read_draft(body.typed(currency), currency, today, body.countries)
    effects = await request.app[DATABASE].read(delivery_rates.effects, zone, draft, today, currency)
    return ActionPreview(effects=effects)


@action(
    "admin/delivery-rates/{id}/end",
    RateEnd,
    "Last day",
    "Save the last day",
    permission=WRITE,
    text="Orders until then are charged by it. After it the service is offered only by other rates.",
)
async def end_delivery_rate(request: web.Request, body: RateEnd) -> StaffOutcome:
    """Give a rate a last day, today or later, or none. 403 for a rate that has ended."""
    rate_id, actor, at = target(request)
    last, db = last_day(body), request.app[DATABASE]
    await db.write_as(actor, delivery_rates.set_last_day, rate_id, last, at.date(), body.reason)
    return StaffOutcome(text="The rate has no end now." if last is None else f"The rate ends on {day_text(last)}.")


@action(
    "admin/delivery-rates/{id}/withdraw",
    RateWithdrawal,
    "Take it back",
    "Take it back",
    permission=WRITE,
    question="It is deleted. A rate that ends for its sake still ends: give that one another last day.",
    is_dangerous=True,
)
async def withdraw_delivery_rate(request: web.Request, body: RateWithdrawal) -> StaffOutcome:
    """Delete a rate that has not begun. 403 for one that has."""
    rate_id, actor, at = target(request)
    await request.app[DATABASE].write_as(actor, delivery_rates.withdraw, rate_id, at.date(), body.reason)
    return StaffOutcome(text="The rate is taken back.")


class ZonePlaces(Strict):
    """`countries`: all places of the zone from now on, by their codes."""

    countries: Annotated[Places, FormField("Countries", hint="A part of the name.", source=PLACES, is_required=True)]
    reason: Why = ""


@action(
    "admin/delivery-zones/{id}/places",
    ZonePlaces,
    "Countries of the zone",
    "Change the countries",
    permission=WRITE,
    is_editor=True,
    text="They are those of all rates of the zone. What the change does is shown before it is made.",
)
async def change_zone_places(request: web.Request, body: ZonePlaces) -> StaffOutcome:
    """Let a zone cover these places. 404 for a zone that there is not."""
    zone_id, actor, _ = target(request)
    places = delivery_zones.read_places(body.countries)
    await request.app[DATABASE].write_as(actor, delivery_zones.change_places, zone_id, places, body.reason)
    return StaffOutcome(text=delivery_zones.changed_text(places))


@change_zone_places.preview("confirmed")
async def preview_zone_places(request: web.Request, body: ZonePlaces) -> ActionPreview:
    """Where the change would begin and end deliveries. Stores nothing."""
    zone_id, _, at = target(request)
    places = delivery_zones.read_places(body.countries)
    effects = await request.app[DATABASE].read(delivery_zones.effects, zone_id, places, at.date())
    return ActionPreview(effects=effects)
