"""Finds content gaps of a period: what people looked for and did not get."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.display_text import count_text, day_text
from domain.reports.searches import sums
from domain.reports.searches.gap_kinds import (
    MIN_BOUNCE_PERCENT,
    MIN_EMPTY_SEARCHES,
    MIN_ENTRANCES,
    MIN_SESSIONS,
    MIN_UNFOLLOWED,
    GapKind,
)
from domain.reports.searches.sums import Days, PeriodQuery, UnknownPath
from domain.search.unanswered import SHOWN_DAYS, week_of
from domain.tables import DismissedSearch, Product, SearchDay, VisitDay
from domain.text_direction import isolated
from domain.visits.days.channels import NONE
from domain.visits.days.figures import OTHER
from domain.visits.days.paths import UNKNOWN, place_of
from domain.visits.days.products import Products, products_named
from domain.visits.raw.local_days import SHOP, DayRules

MAX_REFERRERS = 3
_PEOPLE = (VisitDay.site == SHOP, VisitDay.audience == "people")
_CHUNK = 500


class GapText(NamedTuple):
    """`detail`: what else is known of a gap. `action`: in a few words what to do, and where. `href`: the page that it
    is about, "" without one."""

    detail: str
    action: tuple[str, str]
    href: str = ""


class Gap(NamedTuple):
    """`sums`: what its figures are computed from. `describe`: thousands are counted, and few are shown."""

    key: str
    label: str
    sums: Mapping[str, int]
    describe: Callable[[], GapText]


class GapPeriod(NamedTuple):
    """The days, today, and the rules of days."""

    days: Days
    today: date
    rules: DayRules


def find(session: Session, period: GapPeriod) -> dict[GapKind, list[Gap]]:
    """The gaps of every kind."""
    queries = sums.without_success(session, period.days, or_(_MAY_FIND_NOTHING, _NOT_FOLLOWED))
    return {
        GapKind.NO_RESULTS: _without_results(session, queries, period.today),
        GapKind.NOT_FOLLOWED: _not_followed(queries),
        GapKind.UNKNOWN: _unknown(session, period.days),
        GapKind.BOUNCES: _bounces(session, period.days),
        GapKind.RETIRED: _retired(session, period),
    }


_MAY_FIND_NOTHING = and_(func.sum(SearchDay.no_results) > 0, func.sum(SearchDay.searches) >= MIN_EMPTY_SEARCHES)
_NOT_FOLLOWED = and_(func.sum(SearchDay.in_sessions) >= MIN_UNFOLLOWED, func.sum(SearchDay.followed) == 0)


def _without_results(session: Session, queries: Iterable[PeriodQuery], today: date) -> list[Gap]:
    """Queries whose last search found nothing, but for dismissed ones."""
    dismissed = {row.query: row.since for row in session.scalars(select(DismissedSearch))}
    return [
        Gap(
            row.query,
            row.query,
            row.sums,
            partial(_text_without_results, row, today),
        )
        for row in queries
        if row.last_results == 0
        and row.sums["searches"] >= MIN_EMPTY_SEARCHES
        and not dismissed.get(row.query, date.max) <= row.last_day
    ]


def _text_without_results(row: PeriodQuery, today: date) -> GapText:
    action = ("Create a course or dismiss it", _searches_href(row, today))
    return GapText(f"Last searched on {day_text(row.last_day)}", action, _search_href(row.query))


def _search_href(query: str) -> str:
    """The page of the search as visitors see it now."""
    return f"/search?{urlencode({'q': query})}"


def _searches_href(row: PeriodQuery, today: date) -> str:
    """Where it can be dismissed, while its week is shown there."""
    if (today - row.last_day).days >= SHOWN_DAYS:
        return f"/admin/courses?{urlencode({'q': row.query})}"
    return f"/admin/searches?{urlencode({'week': week_of(row.last_day), 'query': row.query})}"


def _not_followed(queries: Iterable[PeriodQuery]) -> list[Gap]:
    """Queries of several searches in sessions: nobody knows what came of the others."""
    return [
        Gap(row.query, row.query, row.sums, partial(_text_not_followed, row))
        for row in queries
        if row.last_results > 0 and row.sums["in_sessions"] >= MIN_UNFOLLOWED and not row.sums["followed"]
    ]


def _text_not_followed(row: PeriodQuery) -> GapText:
    found = f"Found {count_text(row.last_results)} on {day_text(row.last_day)}"
    return GapText(found, ("See what it finds", _search_href(row.query)))


def _unknown(session: Session, days: Days) -> list[Gap]:
    """Addresses that lead nowhere today: a course may have been created meanwhile."""
    found = [row for row in sums.unknown_paths(session, days, MIN_SESSIONS) if row.path != OTHER]
    products = products_named(session, _named_by(row.path for row in found))
    return [
        Gap(row.path, row.path, {"sessions": row.sessions}, partial(_text_of_unknown, row))
        for row in found
        if _is_unknown(row.path, products)
    ]


def _named_by(paths: Iterable[str]) -> set[tuple[str, str]]:
    """The products that these addresses name, which may not exist."""
    return {place.product for path in paths if (place := place_of(path)).product is not None}


def _is_unknown(path: str, products: Products) -> bool:
    place = place_of(path)
    return place.page == UNKNOWN or (place.product is not None and place.product not in products)


def _text_of_unknown(row: UnknownPath) -> GapText:
    return GapText(_referrers(row), _way_to(row))


def _referrers(row: UnknownPath) -> str:
    """Hosts and pages of this shop, those of the most sessions first."""
    named = {name: count for name, count in row.referrers.items() if name not in (NONE, OTHER)}
    first = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MAX_REFERRERS]
    if not first:
        return "No link is known"
    shown = [f"{isolated(name)} ({count_text(count)})" for name, count in first]
    rest = row.sessions - sum(count for _, count in first)
    return "From " + ", ".join([*shown, *([f"elsewhere ({count_text(rest)})"] if rest else [])])


def _way_to(row: UnknownPath) -> tuple[str, str]:
    """The page of this shop that most came from; else the list of courses, for what people have tried."""
    first = max(row.referrers, key=lambda name: (row.referrers[name], name))
    if _is_own_page(first):
        return "Correct the link on its page", first
    slug = parse_qs(row.path.partition("?")[2]).get("course", [""])[0]
    words = (slug or row.path.rpartition("/")[2]).replace("-", " ").replace(".", " ").strip()
    return ("Find the course it meant", f"/admin/courses?{urlencode({'q': words[:100]})}")


def _is_own_page(path: str) -> bool:
    """Anybody can send a visit with any address: nothing else is linked, such as //another.example."""
    return path.startswith("/") and not path.startswith("//") and place_of(path).page != UNKNOWN


def _bounces(session: Session, days: Days) -> list[Gap]:
    """Published products, by the first page of sessions. A course may have had several addresses."""
    found = defaultdict[int, list[int]](lambda: [0, 0])
    query = select(VisitDay.key, func.sum(VisitDay.sessions), func.sum(VisitDay.bounces))
    is_landing = (*_PEOPLE, VisitDay.dimension == "landing", *days.has(VisitDay.day))
    rows = session.execute(query.where(*is_landing).group_by(VisitDay.key)).all()
    products = products_named(session, _named_by(path for path, *_ in rows))
    for path, entrances, bounces in rows:
        place = place_of(path)
        if place.product is not None and (product := products.get(place.product)) is not None:
            of_product = found[int(product)]
            of_product[0] += int(entrances)
            of_product[1] += int(bounces)
    high = {
        product: numbers
        for product, numbers in found.items()
        if numbers[0] >= MIN_ENTRANCES and 100 * numbers[1] >= MIN_BOUNCE_PERCENT * numbers[0]
    }
    return [
        Gap(
            str(row.id),
            row.name,
            {"entrances": high[row.id][0], "bounces": high[row.id][1]},
            partial(_text_of_bounces, row, high[row.id][1]),
        )
        for row in _products(session, high)
        if row.status == "published"
    ]


def _text_of_bounces(row: Product, bounces: int) -> GapText:
    href = f"/course-details?{urlencode({'course': row.slug})}" if row.kind == "course" else f"/shop-details/{row.id}"
    action = ("Improve its page", _admin_path(row.kind, row.id))
    return GapText(f"{count_text(bounces)} sessions saw nothing else", action, href)


def _admin_path(kind: str, product_id: int) -> str:
    return f"/admin/{'courses' if kind == 'course' else 'items'}/{product_id}"


def _retired(session: Session, period: GapPeriod) -> list[Gap]:
    """Since the day after each was retired."""
    since = {
        row.id: period.rules.day_of(row.retired_at or row.updated_at)
        for row in session.execute(
            select(Product.id, Product.retired_at, Product.updated_at).where(Product.status == "retired")
        )
    }
    found = defaultdict[int, list[int]](lambda: [0, 0])
    for part in parts_of(sorted(since), _CHUNK):
        is_theirs = (VisitDay.dimension == "product", VisitDay.key.in_([str(product) for product in part]))
        query = select(VisitDay.key, VisitDay.day, VisitDay.sessions, VisitDay.visits)
        for key, day, sessions, visits in session.execute(
            query.where(*_PEOPLE, *is_theirs, *period.days.has(VisitDay.day))
        ):
            if day > since[int(key)]:
                found[int(key)][0] += sessions
                found[int(key)][1] += visits
    return [
        Gap(
            str(row.id),
            row.name,
            {"sessions": found[row.id][0], "visits": found[row.id][1]},
            partial(_text_of_retired, row, since[row.id]),
        )
        for row in _products(session, [product for product, (sessions, _) in found.items() if sessions])
    ]


def _text_of_retired(row: Product, since: date) -> GapText:
    text = "Choose a successor" if row.successor_id is None else "See its successor"
    return GapText(f"Retired on {day_text(since)}", (text, f"{_admin_path(row.kind, row.id)}/publication"))


def _products(session: Session, product_ids: Iterable[int]) -> list[Product]:
    return [
        product
        for part in parts_of(sorted(product_ids), _CHUNK)
        for product in session.scalars(select(Product).where(Product.id.in_(part)))
    ]
