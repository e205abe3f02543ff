"""Delivery rates as staff and commands enter them: like tax rates, one begins today or later and can end so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from typing import Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text, day_text, money_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.locales import shop_locale
from domain.money import Currency
from domain.rates import delivery_zones, periods
from domain.rates.delivery_zones import read_place
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone
from domain.tax.places import Place
from domain.text_direction import isolated
from domain.typed_values import read_integer

UNKNOWN = "There is no delivery rate with this number."
MAX_NAME = 60
# Names of the values that `read_draft` takes, and under which it says what is wrong with one.
FIELDS = (
    *("zone", "countries", "service", "fromGrams", "toGrams", "price", "freeFrom", "daysMin", "daysMax"),
    *("startsOn", "endsOn"),
)


@dataclass(frozen=True)
class DeliveryRateDraft:
    """A rate to be added, with the columns of tables.DeliveryRate."""

    service: str
    from_g: int
    to_g: int | None
    price_minor: int
    free_from_minor: int | None
    days_min: int
    days_max: int
    starts_on: date
    ends_on: date | None


@dataclass(frozen=True)
class ZoneDraft:
    """The zone of a rate. `places`: of a new one; () for one that is there."""

    name: str
    places: tuple[Place, ...]


def read_draft(
    values: Mapping[str, str], currency: Currency, today: date, picked: Sequence[str] = ()
) -> tuple[ZoneDraft, DeliveryRateDraft]:
    """The rate that somebody has typed, by FIELDS; without a first day it begins today. `picked`: codes of the zone's
    places that need not be typed. Raises InvalidInput with all that is wrong."""
    typed = {name: values.get(name, "").strip() for name in FIELDS}
    errors: dict[str, str] = {}
    places = delivery_zones.read_places(picked) if picked else tuple(_places(typed["countries"], errors))
    zone = ZoneDraft(typed["zone"], places)
    starts_on, ends_on = periods.read_days(typed["startsOn"], typed["endsOn"], today, errors)
    last_gram = _number("toGrams", typed["toGrams"], errors) if typed["toGrams"] else None
    draft = DeliveryRateDraft(
        service=typed["service"],
        from_g=_number("fromGrams", typed["fromGrams"] or "0", errors),
        to_g=last_gram,
        price_minor=_amount("price", typed["price"], currency, errors),
        free_from_minor=_amount("freeFrom", typed["freeFrom"], currency, errors) if typed["freeFrom"] else None,
        days_min=_number("daysMin", typed["daysMin"], errors),
        days_max=_number("daysMax", typed["daysMax"], errors),
        starts_on=starts_on,
        ends_on=ends_on,
    )
    for name, text in (("zone", zone.name), ("service", draft.service)):
        if not 0 < len(text) <= MAX_NAME:
            errors[name] = f"Give a name of at most {MAX_NAME} letters."
    if draft.to_g is not None and draft.to_g < draft.from_g:
        errors.setdefault("toGrams", "The heaviest parcel is lighter than the lightest one.")
    if draft.days_max < draft.days_min:
        errors.setdefault("daysMax", "The latest day is before the earliest one.")
    if errors:
        raise InvalidInput(errors)
    return zone, draft


def _places(text: str, errors: dict[str, str]) -> Iterable[Place]:
    for word in text.replace(",", " ").replace(";", " ").split():
        place = read_place(word)
        if place is None:
            errors["countries"] = f"{word[:20]} is no country: write two letters for each, such as DE AT."
        else:
            yield place


def _number(name: str, text: str, errors: dict[str, str]) -> int:
    try:
        number = read_integer(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 10**8:
        errors[name] = "Write a whole number, 0 or more."
    return number


def _amount(name: str, text: str, currency: Currency, errors: dict[str, str]) -> int:
    try:
        return money.to_minor(money.parse(text, currency), currency)
    except ValueError as error:
        errors[name] = f"{error}."
        return 0


def add(session: Session, zone: ZoneDraft, draft: DeliveryRateDraft, today: date, reason: str = "") -> int:
    """Store a rate, and its zone if that is new. One of the same service and weights ends on the day before. Returns
    its id. Raises InvalidInput."""
    zone_id = zone_of(session, zone)
    if zone_id is None:
        zone_id = _add_zone(session, zone)
    for row in followed_by(session, zone_id, draft, today):
        _end(session, row, draft.starts_on - timedelta(days=1), reason)
    rate = DeliveryRate(zone_id=zone_id, **{field.name: getattr(draft, field.name) for field in fields(draft)})
    session.add(rate)
    session.flush()
    after = {**_facts(rate), "zone": zone.name}
    recording.record(session, "delivery_rate.add", Subject("delivery_rate", rate.id), after=after, reason=reason)
    return rate.id


def zone_of(session: Session, zone: ZoneDraft) -> int | None:
    """The id of the zone with this name; None for a new one. Raises InvalidInput for countries of one that is there,
    and for a new one without any."""
    row_id = session.scalar(select(DeliveryZone.id).where(DeliveryZone.name == zone.name))
    if row_id is None and not zone.places:
        names = ", ".join(session.scalars(select(DeliveryZone.name).order_by(DeliveryZone.position))) or "none yet"
        raise InvalidInput({"countries": f"Name the countries of this new zone. Zones are: {names}."})
    if row_id is not None and zone.places:
        stored = select(DeliveryPlace.country, DeliveryPlace.region).where(DeliveryPlace.zone_id == row_id)
        if {Place(*row) for row in session.execute(stored)} != {*zone.places}:
            raise InvalidInput({"countries": "This zone has other countries. Leave this empty, or name another zone."})
    return row_id


def _add_zone(session: Session, zone: ZoneDraft) -> int:
    last = session.scalar(select(func.max(DeliveryZone.position))) or 0
    row = DeliveryZone(name=zone.name, position=last + 1)
    session.add(row)
    session.flush()
    delivery_zones.add_places(session, row.id, zone.places)
    after = {"name": zone.name, "places": [place.text for place in zone.places]}
    recording.record(session, "delivery_zone.add", Subject("delivery_zone", row.id), after=after)
    return row.id


def followed_by(session: Session, zone_id: int | None, draft: DeliveryRateDraft, today: date) -> list[DeliveryRate]:
    """The rates that end when this one begins. Raises InvalidInput."""
    periods.refuse_past(draft.starts_on, today)
    if zone_id is None:
        return []
    query = select(DeliveryRate).where(DeliveryRate.zone_id == zone_id, DeliveryRate.service == draft.service)
    found = []
    for row in session.scalars(query.with_for_update()):
        if not periods.meet(row, draft) or not _share_weights(row, draft):
            continue
        if (row.from_g, row.to_g) != (draft.from_g, draft.to_g):
            text = f"{rate_text(row)} has some of these weights: end it first, or begin where it ends."
            raise InvalidInput({"fromGrams": text})
        if row.starts_on >= draft.starts_on:
            raise InvalidInput(
                {"startsOn": f"A rate for these weights begins on {day_text(row.starts_on)}: end this before."}
            )
        found.append(row)
    return found


def _share_weights(row: DeliveryRate, draft: DeliveryRateDraft) -> bool:
    ends = [end for end in (row.to_g, draft.to_g) if end is not None]
    return not ends or max(row.from_g, draft.from_g) <= min(ends)


def set_last_day(session: Session, rate_id: int, last: date | None, today: date, reason: str = "") -> None:
    """Let a rate end on a day, today or later; None: it goes on. Raises NotFound, Refused for one that has ended, and
    InvalidInput."""
    row = _locked(session, rate_id)
    periods.check_last_day(row, last, today)
    same = select(DeliveryRate).where(DeliveryRate.zone_id == row.zone_id, DeliveryRate.service == row.service)
    draft = replace(_draft(row), ends_on=last)
    for other in session.scalars(same.where(DeliveryRate.id != rate_id)):
        if periods.meet(other, draft) and _share_weights(other, draft):
            raise InvalidInput(
                {"endsOn": f"{rate_text(other)} begins on {day_text(other.starts_on)}: end this before."}
            )
    _end(session, row, last, reason)


def withdraw(session: Session, rate_id: int, today: date, reason: str = "") -> None:
    """Delete a rate that has not begun. Raises NotFound, and Refused for one that has."""
    row = _locked(session, rate_id)
    periods.check_withdrawal(row, today)
    subject = Subject("delivery_rate", rate_id)
    recording.record(session, "delivery_rate.withdraw", subject, before=_facts(row), reason=reason)
    session.delete(row)


def effects(session: Session, zone: ZoneDraft, draft: DeliveryRateDraft, today: date, currency: Currency) -> list[str]:
    """What adding the rate would do, in words. Raises InvalidInput."""
    zone_id = zone_of(session, zone)
    places = zone.places if zone_id is None else delivery_zones.places_of(session, zone_id)
    end = "" if draft.ends_on is None else f" until {day_text(draft.ends_on)}"
    texts = [
        f"From {day_text(draft.starts_on)}{end}: {isolated(draft.service)} to {delivery_zones.places_text(places)} "
        f"costs {amount_text(draft, currency)} {weights_text(draft)}, in {draft.days_min} to {draft.days_max} working "
        "days."
    ]
    if zone_id is None:
        texts.append(f"{isolated(zone.name)} is a new zone. Places that an earlier zone names too stay in that one.")
    for row in followed_by(session, zone_id, draft, today):
        price, last = amount_text(row, currency), draft.starts_on - timedelta(days=1)
        texts.append(f"{isolated(draft.service)} for {price} ends on {day_text(last)}.")
        if draft.ends_on is not None:
            texts.append(
                f"After {day_text(draft.ends_on)} it is not offered {weights_text(draft)}: add the rate that follows."
            )
    return texts


class Priced(Protocol):
    """What the texts below need of a rate."""

    @property
    def from_g(self) -> int: ...

    @property
    def to_g(self) -> int | None: ...

    @property
    def price_minor(self) -> int: ...

    @property
    def free_from_minor(self) -> int | None: ...


def amount_text(rate: Priced, currency: Currency) -> str:
    """Such as "$4.90 (nothing from $50.00 on)"."""
    price = money_text(rate.price_minor, currency, shop_locale())
    if rate.free_from_minor is None:
        return price
    return f"{price} (nothing from {money_text(rate.free_from_minor, currency, shop_locale())} on)"


def weights_text(rate: Priced) -> str:
    """Such as "for 0 to 2,000 g"."""
    return (
        f"from {count_text(rate.from_g)} g"
        if rate.to_g is None
        else f"for {count_text(rate.from_g)} to {count_text(rate.to_g)} g"
    )


def rate_text(row: DeliveryRate) -> str:
    return f"{isolated(row.service)} {weights_text(row)}"


def import_rates(session: Session, rows: Iterable[Mapping[str, str]], currency: Currency, today: date) -> int:
    """Add the rates of a file, all or none; returns how many. Raises Refused with the number of the row."""
    count = 0
    recording.no_change(session)
    for count, values in enumerate(rows, start=1):
        try:
            add(session, *read_draft(values, currency, today), today)
        except InvalidInput as error:
            raise Refused(f"Row {count}: {' '.join(error.errors.values())} Nothing was imported.") from None
    return count


def _locked(session: Session, rate_id: int) -> DeliveryRate:
    row = session.get(DeliveryRate, rate_id, with_for_update=True)
    if row is None:
        raise NotFound(UNKNOWN)
    return row


def _end(session: Session, row: DeliveryRate, last: date | None, reason: str) -> None:
    before = _facts(row)
    row.ends_on = last
    subject = Subject("delivery_rate", row.id)
    recording.record(session, "delivery_rate.end", subject, before=before, after=_facts(row), reason=reason)


def _draft(row: DeliveryRate) -> DeliveryRateDraft:
    return DeliveryRateDraft(**{field.name: getattr(row, field.name) for field in fields(DeliveryRateDraft)})


def _facts(row: DeliveryRate) -> dict[str, object]:
    days = {"starts_on": row.starts_on.isoformat(), "ends_on": None if row.ends_on is None else row.ends_on.isoformat()}
    return {**{field.name: getattr(row, field.name) for field in fields(DeliveryRateDraft)}, **days}
