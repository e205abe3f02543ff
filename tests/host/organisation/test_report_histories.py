"""Whoever keeps every month of the report, by course and by team, as pages and as files, and knows who belongs to which
group since when, finds for each person a history in which they completed their course and one in which they never began
it. Both are made here, and shown by the product itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import pytest
from sqlalchemy import delete, select

from domain.reports import organisation_report
from domain.tables import OrganisationMonth, Product
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.site import Site
from tests.host.test_area_matrix import sent_by

MONTHS = ("2026-01", "2026-02", "2026-03")
NEVER = len(MONTHS)
# That of the settings.
K = 5
TEAMS, PEOPLE = ("North", "South", "West"), 40


class Group(NamedTuple):
    course: int
    team: str
    is_named: bool


@dataclass(frozen=True)
class Person:
    """Numbers of months; NEVER: in none of them."""

    group: Group
    joined: int
    started: int = NEVER
    completed: int = NEVER


def at_random(seed: int, courses: Sequence[int]) -> list[Person]:
    """People of teams of very different sizes, of whom some are named."""
    chance = Random(seed)
    people = []
    for _ in range(PEOPLE):
        team = chance.choices(TEAMS, (8, 2, 1))[0]
        joined = chance.randrange(NEVER)
        started = chance.randint(joined, NEVER)
        completed = chance.randint(started, NEVER)
        people.append(Person(Group(chance.choice(courses), team, chance.random() < 0.2), joined, started, completed))
    return people


def counts(people: Sequence[Person], group: Group, month: int) -> dict[str, int]:
    members = [person for person in people if person.group == group and person.joined <= month]
    return {
        "learners": len(members),
        "started": sum(person.started <= month for person in members),
        "completed": sum(person.completed <= month for person in members),
    }


def freeze(site: Site, organisation: int, people: Sequence[Person]) -> None:
    """The frozen months of these people, instead of all others."""
    with site.db.write_session() as session:
        session.execute(delete(OrganisationMonth).where(OrganisationMonth.organisation_id == organisation))
        for number, month in enumerate(MONTHS):
            about = {"organisation_id": organisation, "month": month}
            for group in sorted({person.group for person in people if person.joined <= number}):
                named = "named:" if group.is_named else ""
                key = f"{named}{group.course}:{group.team}"
                of_group = {"product_id": group.course, "team": group.team, "is_named": group.is_named}
                session.add(OrganisationMonth(**about, **of_group, cell_key=key, **counts(people, group, number)))
            total = Counter[str]()
            for group in {person.group for person in people}:
                total.update(counts(people, group, number))
            costs = {"seats": PEOPLE, "unused": 0, "cost_thousandths": 5_000_000}
            of_all = {"learners": 0, "started": 0, "completed": 0, **total}
            session.add(OrganisationMonth(**about, cell_key="all", **of_all, **costs))


async def shown(site: Site, world: TwoOrganisations, people: Sequence[Person]) -> list[str]:
    """What is to be read of these people: the overview, the report and its file."""
    freeze(site, world.own, people)
    sent = sent_by(world.manager)
    props = [
        str((await (await site.get(f"/data{path}", **sent)).json())["props"])
        for path in ("/organization", "/organization/reports")
    ]
    return [*props, await (await site.get("/csv/organization/reports", **sent)).text()]


def shown_number(people: Sequence[Person], group: Group, month: int, what: str) -> int:
    """How many of a group are shown, by decision 0065 in other words: whole steps, never of the last."""
    numbers = counts(people, group, month)
    return max(step for step in range(0, PEOPLE, K) if step == 0 or step <= min(numbers[what], numbers["learners"] - K))


def other_history(people: Sequence[Person], place: int, *, has_completed: bool) -> list[Person]:
    """As much is shown of each group, but this person completed in the month in which they joined, or never began: of
    the others of their group just as many did it as are shown."""
    person = people[place]
    others = [number for number, other in enumerate(people) if other.group == person.group and number != place]
    others.sort(key=lambda number: people[number].joined)
    changed = list(people)
    for number in others:
        changed[number] = replace(people[number], started=NEVER, completed=NEVER)
    for what in ("started", "completed"):
        for month in range(NEVER):
            for number in others[: shown_number(people, person.group, month, what)]:
                if getattr(changed[number], what) == NEVER:
                    changed[number] = replace(changed[number], **{what: month})
    month = person.joined if has_completed else NEVER
    changed[place] = replace(person, started=month, completed=month)
    return changed


def courses_of(site: Site) -> list[int]:
    with site.db.read_session() as session:
        return list(session.scalars(select(Product.id).where(Product.kind == "course").order_by(Product.id).limit(2)))


def unnamed(people: Sequence[Person]) -> Iterator[int]:
    return (place for place, person in enumerate(people) if not person.group.is_named)


@pytest.mark.parametrize("seed", range(2))
async def test_of_each_person_two_histories_fit_all_that_is_shown(bare_site, seed):
    world = two_organisations(bare_site, f"histories-{seed}")
    people = at_random(seed, courses_of(bare_site))
    before = await shown(bare_site, world, people)
    assert "or more" in before[1]
    assert "Something went wrong" not in "".join(before)
    for place in unnamed(people):
        for has_completed in (True, False):
            other = other_history(people, place, has_completed=has_completed)
            assert await shown(bare_site, world, other) == before, people[place]


async def test_exact_figures_would_leave_one_history(bare_site, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(organisation_report, "at_least", lambda learners, number, k: number if learners >= k else None)
    world = two_organisations(bare_site, "exact")
    people = at_random(0, courses_of(bare_site))
    before = await shown(bare_site, world, people)
    place = next(place for place in unnamed(people) if people[place].group.team == "North")
    assert await shown(bare_site, world, other_history(people, place, has_completed=True)) != before
