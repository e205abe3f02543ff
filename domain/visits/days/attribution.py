"""Attribution values of visits that name a row of ours. Anybody may send any text: what names none is "(unknown)"."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.coupons.queries import normalised
from domain.database.parts import parts_of
from domain.tables import Coupon, Learner, Organisation
from domain.typed_values import is_number
from domain.visits.days.channels import NONE, VisitSource, source_of
from domain.visits.days.paths import MAX_LENGTH, UNKNOWN
from domain.visits.erased import ERASED
from domain.visits.raw.day_rows import DayRow
from domain.visits.raw.visit_context import VisitContext

FIELDS = ("coupon", "special", "student", "partner")
_CHUNK = 500


@dataclass(frozen=True)
class KnownValues:
    """The values of each field that name rows of ours: a visit's value, normalised -> its key in reports."""

    keys: dict[str, dict[str, str]]
    _found: dict[tuple[tuple[str, ...], ...], tuple[str, ...]] = field(default_factory=dict)
    _sources: dict[tuple[VisitContext, str], VisitSource] = field(default_factory=dict)

    def keys_of(self, visits: Sequence[DayRow]) -> tuple[str, ...]:
        """The key of each field: the last value that names a row of ours."""
        # Cookies repeat the same values on every page, and most sessions have none.
        given = tuple(dict.fromkeys([visit.context.values for visit in reversed(visits)]))
        if (found := self._found.get(given)) is None:
            texts = zip(*given, strict=True)
            found = tuple(self._key_of(name, of_field) for name, of_field in zip(FIELDS, texts, strict=True))
            self._found[given] = found
        return found

    def _key_of(self, name: str, texts: Sequence[str]) -> str:
        """`texts`: the last one first."""
        keys = self.keys[name]
        found = (key for text in texts if text and (key := keys.get(normalised(text))) is not None)
        return next(found, UNKNOWN if any(texts) else NONE)

    def source_of(self, visit: DayRow) -> VisitSource:
        """The source of a session or touchpoint that begins with this visit."""
        context, page = visit.context, visit.page
        if (found := self._sources.get((context, page))) is None:
            partner = normalised(context.values[FIELDS.index("partner")])
            is_partner = bool(partner) and partner in self.keys["partner"]
            found = source_of(page, context.campaign, context.referrer, is_partner=is_partner)
            self._sources[context, page] = found
        return found


def known_values(session: Session, rows: Iterable[DayRow]) -> KnownValues:
    """The keys of all values in these visits that name rows of ours."""
    values = {row.context.values for row in rows}
    given = {name: {texts[place] for texts in values if texts[place]} for place, name in enumerate(FIELDS)}
    texts = {name: {normalised(text)[:MAX_LENGTH] for text in found} for name, found in given.items()}
    return KnownValues({name: _FIND[name](session, texts[name]) for name in FIELDS})


def coupon_codes(session: Session, texts: Collection[str]) -> dict[str, str]:
    """The folded codes among these that are of a coupon of ours."""
    return {code: code for code in _existing(session, Coupon.code, texts)}


def _specials(session: Session, texts: Collection[str]) -> dict[str, str]:
    """The browser sends the code of a special offer or its id."""
    ids = {int(text) for text in texts if is_number(text, 17)}
    by_id: dict[str, str] = {}
    for part in parts_of(sorted(ids), _CHUNK):
        rows = session.execute(select(Coupon.id, Coupon.code).where(Coupon.id.in_(part)))
        by_id |= {str(coupon_id): code for coupon_id, code in rows}
    return by_id | coupon_codes(session, texts)


def _students(session: Session, texts: Collection[str]) -> dict[str, str]:
    """Visits whose number was erased have a text that stands for all of them."""
    return {number: number for number in (*_existing(session, Learner.student_number, texts), ERASED)}


def _partners(session: Session, texts: Collection[str]) -> dict[str, str]:
    approved = Organisation.state == "approved"
    return {slug: slug for slug in _existing(session, Organisation.slug, texts, approved)}


_FIND: dict[str, Callable[[Session, Collection[str]], dict[str, str]]] = {
    "coupon": coupon_codes,
    "special": _specials,
    "student": _students,
    "partner": _partners,
}


def _existing(
    session: Session, column: InstrumentedAttribute[str], texts: Collection[str], *conditions: Any
) -> list[str]:
    found: list[str] = []
    for part in parts_of(sorted(texts), _CHUNK):
        found += session.scalars(select(column).where(column.in_(part), *conditions))
    return found
