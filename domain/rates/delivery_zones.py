"""The countries and areas of a delivery zone: their names, finding them, and changing them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.errors import InvalidInput, NotFound
from domain.postal_addresses.countries import countries
from domain.postal_addresses.rules import rules_of
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone
from domain.tax.places import Place, parse_place
from domain.text_direction import isolated

UNKNOWN = "There is no delivery zone with this number."
MAX_OPTIONS = 10
# As many places as a row of a list names.
_NAMED = 3
# A search finds areas of at most this many countries: the rules of each are a file.
_COUNTRIES_WITH_AREAS = 3


def place_text(place: Place) -> str:
    """Such as "Austria", or "Canada, Quebec"."""
    name = countries().get(place.country, place.country)
    if not place.region:
        return name
    areas = {area.key: area.label for area in rules_of(place.country).areas} if place.country in countries() else {}
    return f"{isolated(name)}, {isolated(areas.get(place.region, place.region))}"


def places_text(places: Iterable[Place]) -> str:
    return "; ".join(map(place_text, places))


def short_places_text(places: Sequence[Place]) -> str:
    """The first of many places, and how many more there are."""
    if len(places) <= _NAMED + 1:
        return places_text(places)
    return f"{places_text(places[:_NAMED])} and {count_text(len(places) - _NAMED)} more"


def read_place(text: str) -> Place | None:
    """A place by its code, such as DE or AT-7, in any case; None for what is no country."""
    place = parse_place(text.strip())
    country = place.country.upper()
    if country not in countries():
        return None
    area = rules_of(country).areas_by_name.get(place.region.casefold()) if place.region else None
    return Place(country, place.region.upper() if area is None else area.key)


def find_places(text: str) -> list[Place]:
    """Countries by a part of their name or their two letters, and areas behind a comma: "can", "ca", "canada, q"."""
    name, comma, area = (part.strip().casefold() for part in text.partition(","))
    found = [code for code, label in countries().items() if name in label.casefold() or name == code.casefold()]
    found.sort(key=lambda code: (code.casefold() != name, not countries()[code].casefold().startswith(name)))
    if not comma:
        return [Place(code) for code in found[:MAX_OPTIONS]]
    areas = [
        Place(code, one.key)
        for code in found[:_COUNTRIES_WITH_AREAS]
        for one in rules_of(code).areas
        if any(area in label.casefold() for label in (one.key, *one.names))
    ]
    return areas[:MAX_OPTIONS]


def places_of(session: Session, zone_id: int) -> list[Place]:
    places = select(DeliveryPlace.country, DeliveryPlace.region).where(DeliveryPlace.zone_id == zone_id)
    return [Place(*row) for row in session.execute(places.order_by(DeliveryPlace.id))]


def read_places(codes: Sequence[str]) -> tuple[Place, ...]:
    """The places that somebody has picked, each once. Raises InvalidInput."""
    places = [read_place(code) for code in codes]
    if not places or None in places:
        raise InvalidInput({"countries": "Pick one country or area at least, each from the list."})
    return tuple(dict.fromkeys(place for place in places if place is not None))


def change_places(session: Session, zone_id: int, places: Sequence[Place], reason: str = "") -> None:
    """Let a zone cover other places. Raises NotFound."""
    _zone(session, zone_id, is_locked=True)
    before = places_of(session, zone_id)
    if {*before} == {*places}:
        recording.no_change(session)
        return
    session.execute(delete(DeliveryPlace).where(DeliveryPlace.zone_id == zone_id))
    add_places(session, zone_id, places)
    recording.record(
        session,
        "delivery_zone.change_places",
        Subject("delivery_zone", zone_id),
        before={"places": [place.text for place in before]},
        after={"places": [place.text for place in places]},
        reason=reason,
    )


def add_places(session: Session, zone_id: int, places: Iterable[Place]) -> None:
    session.add_all(DeliveryPlace(zone_id=zone_id, country=place.country, region=place.region) for place in places)
    session.flush()


@dataclass(frozen=True)
class _Rival:
    """Another zone that names a place. `is_before`: its rates count, not those of the zone that is changed."""

    name: str
    is_before: bool


def effects(session: Session, zone_id: int, places: Sequence[Place], today: date) -> list[str]:
    """What the change would do, in words. Raises NotFound."""
    zone, before = _zone(session, zone_id), places_of(session, zone_id)
    added = [place for place in places if place not in before]
    removed = [place for place in before if place not in places]
    texts = [text for place in added for text in _added_text(session, zone, place)]
    texts += [_removed_text(session, zone, place) for place in removed]
    if not texts:
        return ["Nothing changes."]
    if not _has_rates(session, zone_id, today):
        texts.append("The zone has no rate today, so nothing is delivered by it.")
    return [*texts, "Orders that are placed keep what they were charged."]


def _added_text(session: Session, zone: DeliveryZone, place: Place) -> list[str]:
    name = isolated(place_text(place))
    rivals = _rivals(session, zone, place)
    first = next((rival for rival in rivals if rival.is_before), None)
    if first is not None:
        return [f"{name} stays in the zone {isolated(first.name)}, which comes before this one."]
    texts = [f"{name}: delivered by the rates of this zone."]
    return texts + [f"{name} leaves the zone {isolated(rival.name)}." for rival in rivals[:1]]


def _removed_text(session: Session, zone: DeliveryZone, place: Place) -> str:
    name = isolated(place_text(place))
    rivals = _rivals(session, zone, place)
    if not rivals and place.region:
        rivals = _rivals(session, zone, Place(place.country))
    if rivals:
        return f"{name}: delivered by the rates of the zone {isolated(rivals[0].name)}."
    return f"{name}: nothing is delivered there any more."


def _rivals(session: Session, zone: DeliveryZone, place: Place) -> list[_Rival]:
    """Other zones that name exactly this place, in their order."""
    query = (
        select(DeliveryZone.name, DeliveryZone.position, DeliveryZone.id)
        .join(DeliveryPlace, DeliveryPlace.zone_id == DeliveryZone.id)
        .where(DeliveryPlace.country == place.country, DeliveryPlace.region == place.region)
        .where(DeliveryZone.id != zone.id)
        .order_by(DeliveryZone.position, DeliveryZone.id)
    )
    rows = session.execute(query)
    return [_Rival(row.name, (row.position, row.id) < (zone.position, zone.id)) for row in rows]


def _has_rates(session: Session, zone_id: int, today: date) -> bool:
    holds = (DeliveryRate.starts_on <= today, or_(DeliveryRate.ends_on.is_(None), DeliveryRate.ends_on >= today))
    query = select(func.count()).select_from(DeliveryRate).where(DeliveryRate.zone_id == zone_id, *holds)
    return bool(session.scalar(query))


def _zone(session: Session, zone_id: int, *, is_locked: bool = False) -> DeliveryZone:
    row = session.get(DeliveryZone, zone_id, with_for_update=is_locked)
    if row is None:
        raise NotFound(UNKNOWN)
    return row


def changed_text(places: Sequence[Place]) -> str:
    return f"The zone has {count_text(len(places))} {'place' if len(places) == 1 else 'places'} now."
