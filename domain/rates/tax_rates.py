"""Tax rates as staff and commands enter them. A rate begins today or later and can end so: what orders were charged is
never changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, Protocol, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import day_text, percent_text
from domain.errors import InvalidInput, NotFound, Refused
from domain.postal_addresses.countries import countries
from domain.postal_addresses.postal_codes import compact_code
from domain.postal_addresses.rules import rules_of
from domain.rates import periods
from domain.tables import TaxRate
from domain.tables.commerce.tax_and_delivery import POSTAL_CODE_LENGTH
from domain.tax import territories
from domain.tax.context import TAX_CLASSES, TaxClass
from domain.tax.rates import Rate
from domain.typed_values import read_percent

CLASSES: Mapping[TaxClass, str] = {
    "service": "Courses and services",
    "ebook": "E-books",
    "book": "Books",
    "voucher": "Exam vouchers",
    "goods": "Goods",
    "delivery": "Delivery",
}
MAX_LABEL = 60
UNKNOWN = "There is no tax rate with this number."
_YES = {"yes": True, "true": True, "1": True, "": False, "no": False, "false": False, "0": False}
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class TaxRateDraft:
    """A rate to be added, with the columns of tables.TaxRate."""

    country: str
    region: str
    tax_class: TaxClass
    label: str
    percent: Decimal
    starts_on: date
    ends_on: date | None
    replaces: bool
    postal_from: str
    postal_to: str


# Names of the values that `read_draft` takes, and under which it says what is wrong with one.
FIELDS = (
    *("country", "region", "taxClass", "label", "percent", "startsOn", "endsOn"),
    *("replaces", "postalFrom", "postalTo"),
)


def read_draft(values: Mapping[str, str], today: date) -> TaxRateDraft:
    """The rate that somebody has typed, by FIELDS; without a first day it begins today. Raises InvalidInput with all
    that is wrong."""
    typed = {name: values.get(name, "").strip() for name in FIELDS}
    errors: dict[str, str] = {}
    country = typed["country"].upper()
    if country not in countries() and own_place(country) is None:
        errors["country"] = "Choose a country, or write its two letters, such as DE."
    percent = _percent(typed["percent"], errors)
    starts_on, ends_on = periods.read_days(typed["startsOn"], typed["endsOn"], today, errors)
    draft = TaxRateDraft(
        country=country,
        region="" if "country" in errors else _region(country, typed["region"], errors),
        tax_class=cast(TaxClass, typed["taxClass"]),
        label=typed["label"],
        percent=percent,
        starts_on=starts_on,
        ends_on=ends_on,
        replaces=_YES.get(typed["replaces"].casefold(), False),
        postal_from=compact_code(typed["postalFrom"]),
        postal_to=compact_code(typed["postalTo"]),
    )
    if typed["taxClass"] not in TAX_CLASSES:
        errors["taxClass"] = f"The class is one of {', '.join(TAX_CLASSES)}."
    if not 0 < len(draft.label) <= MAX_LABEL:
        errors["label"] = f"Give the name that documents show, such as VAT, of at most {MAX_LABEL} letters."
    if typed["replaces"].casefold() not in _YES:
        errors["replaces"] = "Write yes or no."
    errors |= _postal_errors(draft)
    if errors:
        raise InvalidInput(errors)
    return draft


def _percent(text: str, errors: dict[str, str]) -> Decimal:
    try:
        percent = read_percent(text)
    except ValueError:
        percent = Decimal(-1)
    if not 0 <= percent <= 100 or percent != round(percent, 3):
        errors["percent"] = "Write a percentage from 0 to 100 with at most three decimals, such as 9.975."
    return percent


def _region(country: str, text: str, errors: dict[str, str]) -> str:
    """The code of an area, by its code or one of its names."""
    if not text or territories.by_code(country, text) is not None:
        return text
    area = rules_of(country).areas_by_name.get(text.casefold()) if country in countries() else None
    if area is None:
        errors["region"] = "Addresses of this country have no such area. Leave it empty, or name postal codes."
        return ""
    return area.key


def _postal_errors(draft: TaxRateDraft) -> dict[str, str]:
    if max(len(draft.postal_from), len(draft.postal_to)) > POSTAL_CODE_LENGTH:
        return {"postalFrom": f"Postal codes have at most {POSTAL_CODE_LENGTH} characters."}
    if draft.postal_to and not draft.postal_from:
        return {"postalFrom": "Say with which postal code the range begins."}
    if draft.postal_to and draft.postal_to < draft.postal_from[: len(draft.postal_to)]:
        return {"postalTo": "The last postal code is before the first one."}
    return {}


def add(session: Session, draft: TaxRateDraft, today: date, reason: str = "") -> int:
    """Store a rate; one of the same name and place that still holds on its first day ends on the day before. Returns
    its id. Raises InvalidInput."""
    for row in followed_by(rates_of_class(session, draft, is_locked=True), draft, today):
        _end(session, row, draft.starts_on - _DAY, reason)
    rate = TaxRate(**_columns(draft))
    session.add(rate)
    session.flush()
    recording.record(session, "tax_rate.add", Subject("tax_rate", rate.id), after=_facts(rate), reason=reason)
    return rate.id


def set_last_day(session: Session, rate_id: int, last: date | None, today: date, reason: str = "") -> None:
    """Let a rate end on a day, today or later; None: it goes on. Raises NotFound, Refused for one that has ended,
    and InvalidInput."""
    row = _locked(session, rate_id)
    periods.check_last_day(row, last, today)
    draft = replace(_draft(row), ends_on=last)
    others = (other for other in rates_of_class(session, draft, is_locked=True) if other.id != rate_id)
    for other in others:
        _refuse_conflict(other, draft, "endsOn")
    _end(session, row, last, reason)


def withdraw(session: Session, rate_id: int, today: date, reason: str = "") -> None:
    """Delete a rate that has not begun. Raises NotFound, and Refused for one that has."""
    row = _locked(session, rate_id)
    periods.check_withdrawal(row, today)
    recording.record(session, "tax_rate.withdraw", Subject("tax_rate", rate_id), before=_facts(row), reason=reason)
    session.delete(row)


class HasPlace(Protocol):
    """The columns of a rate that name its place."""

    @property
    def country(self) -> str: ...

    @property
    def region(self) -> str: ...

    @property
    def postal_from(self) -> str: ...

    @property
    def postal_to(self) -> str: ...


def place_text(rate: HasPlace) -> str:
    """Such as "Portugal, postal codes 90 to 94" or "Canada, Quebec"."""
    own = own_place(rate.country)
    name = countries().get(rate.country) or ("" if own is None else own.name) or rate.country
    parts = [name]
    if rate.region:
        territory = territories.by_code(rate.country, rate.region)
        areas = {area.key: area.label for area in rules_of(rate.country).areas} if rate.country in countries() else {}
        parts.append(areas.get(rate.region) or (territory.name if territory else rate.region))
    if rate.postal_from:
        last = f" to {rate.postal_to}" if rate.postal_to else ""
        parts.append(f"postal codes {rate.postal_from}{last}")
    return ", ".join(parts)


@lru_cache(512)
def own_place(country: str) -> territories.Territory | None:
    """The territory that has this country code beside that of its country, such as MC."""
    return next((row for row in territories.TERRITORIES if row.own_country == country), None)


def followed_by(rows: Iterable[TaxRate], draft: TaxRateDraft, today: date) -> list[TaxRate]:
    """The rates that end when this one begins. Raises InvalidInput."""
    periods.refuse_past(draft.starts_on, today)
    followed = []
    for row in rows:
        if _key(row) == _key(draft) and row.starts_on < draft.starts_on and periods.meet(row, draft):
            followed.append(row)
        else:
            _refuse_conflict(row, draft, "startsOn")
    return followed


def _refuse_conflict(row: TaxRate, draft: TaxRateDraft, field: str) -> None:
    """Raises InvalidInput if both would be charged under one name, or one of them never."""
    if row.label != draft.label or not periods.meet(row, draft) or not _share_place(row, draft):
        return
    if _key(row) == _key(draft):
        raise InvalidInput(
            {field: f"{rate_text(row)} of the same place begins on {day_text(row.starts_on)}: end this before."}
        )
    both: list[TaxRate | TaxRateDraft] = [row, draft]
    narrow = max(both, key=_exactness)
    if _exactness(row) == _exactness(draft):
        raise InvalidInput({"postalFrom": f"These postal codes overlap with those of {rate_text(row)}."})
    if not narrow.replaces:
        text = f"{rate_text(row)} holds in {place_text(row)} too. Let the more exact rate replace others, or give"
        raise InvalidInput({"replaces": f"{text} this one a name of its own, so that both are charged."})


def _key(rate: TaxRate | TaxRateDraft) -> tuple[str, ...]:
    return rate.region, rate.postal_from, rate.postal_to or rate.postal_from, rate.label


def _share_place(row: TaxRate, draft: TaxRateDraft) -> bool:
    if row.region and draft.region and row.region != draft.region:
        return False
    if not (row.postal_from and draft.postal_from):
        return True
    ends = [(rate.postal_from, (rate.postal_to or rate.postal_from) + "\uffff") for rate in (row, draft)]
    return ends[0][0] <= ends[1][1] and ends[1][0] <= ends[0][1]


def _exactness(rate: TaxRate | TaxRateDraft) -> int:
    return 2 if rate.postal_from else 1 if rate.region else 0


def rates_of_class(session: Session, draft: TaxRateDraft, *, is_locked: bool = False) -> list[TaxRate]:
    query = select(TaxRate).where(TaxRate.country == draft.country, TaxRate.tax_class == draft.tax_class)
    query = query.order_by(TaxRate.starts_on, TaxRate.id)
    return list(session.scalars(query.with_for_update() if is_locked else query))


def _locked(session: Session, rate_id: int) -> TaxRate:
    row = session.get(TaxRate, rate_id, with_for_update=True)
    if row is None:
        raise NotFound(UNKNOWN)
    return row


def _end(session: Session, row: TaxRate, last: date | None, reason: str) -> None:
    before = _facts(row)
    row.ends_on = last
    recording.record(
        session, "tax_rate.end", Subject("tax_rate", row.id), before=before, after=_facts(row), reason=reason
    )


def _columns(rate: TaxRate | TaxRateDraft) -> dict[str, Any]:
    return {column.name: getattr(rate, column.name) for column in fields(TaxRateDraft)}


def _draft(row: TaxRate) -> TaxRateDraft:
    return TaxRateDraft(**_columns(row))


def _facts(row: TaxRate) -> dict[str, object]:
    days = {"starts_on": row.starts_on.isoformat(), "ends_on": None if row.ends_on is None else row.ends_on.isoformat()}
    return {**_columns(row), **days, "percent": f"{row.percent.normalize():f}"}


def rates_text(rows: Iterable[Rate | TaxRate]) -> str:
    return " and ".join(rate_text(row) for row in rows) or "no tax"


def rate_text(row: Rate | TaxRate) -> str:
    return f"{row.label} {percent_text(row.percent)}"


def import_rates(session: Session, rows: Iterable[Mapping[str, str]], today: date) -> int:
    """Add the rates of a file, all or none; returns how many. Raises Refused with the number of the row."""
    count = 0
    recording.no_change(session)
    for count, values in enumerate(rows, start=1):
        try:
            add(session, read_draft(values, today), today)
        except InvalidInput as error:
            raise Refused(f"Row {count}: {' '.join(error.errors.values())} Nothing was imported.") from None
    return count
