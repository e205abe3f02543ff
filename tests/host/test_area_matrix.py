"""Every page of an area for every role, and for everybody else: exactly what the table says, in the same bytes."""

import asyncio
import json
from datetime import UTC, datetime
from urllib.parse import quote

from domain.permissions import ROLES, permissions_of
from domain.reports.sale_builder import SaleDayBuilder
from domain.routes import AreaPage, area_pages
from domain.visits.days.build import DayBuilder
from tests.host.pages import CSV_FILES, LISTS
from tests.host.signing import Learner, learner
from tests.host.site import SHARED, Site
from tests.support import factories

pytestmark = SHARED

PEOPLE = [(area, (role,)) for area in ("admin", "organisation") for role in ROLES[area]]


def sent_by(person: Learner) -> dict[str, str]:
    """What a browser sends with a document."""
    token = quote(json.dumps({"accessToken": person.token, "user": {}}))
    return {"Cookie": f"userInfo={token}; {person.cookie['Cookie']}"}


def signed_in(site: Site, name: str) -> dict[tuple[str, tuple[str, ...]], dict[str, str]]:
    """Area and roles of a session -> what it sends."""
    sent: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {}
    with site.db.write_session() as session:
        organisation = factories.organisation(session, name).id
    for area, roles in PEOPLE:
        staff = roles if area == "admin" else ()
        person = learner(site, f"{name} {area} {roles[0]}", area=area, roles=staff)
        if area == "organisation":
            with site.db.write_session() as session:
                factories.member(session, person.id, organisation, role=roles[0])
            person.choose(organisation)
        sent[area, roles] = sent_by(person)
    ada = learner(site, f"{name} learner")
    sent["learner", ()] = sent_by(ada)
    sent["", ()] = {}
    # Neither half alone shows anything.
    sent["", ("token",)] = {"Cookie": sent_by(learner(site, f"{name} half", area="admin"))["Cookie"].partition(";")[0]}
    return sent


def expected(page: AreaPage, area: str, roles: tuple[str, ...]) -> set[int]:
    if not page.served:
        return {404}
    if page.area.session is None:
        return {200, 404}
    if area != page.area.session and not (page.any_session and area):
        return {303}
    if page.permission is not None and page.permission not in permissions_of(page.area.session, roles):
        return {403}
    # 404: nothing has this id.
    return {200, 404} if "{" in page.path else {200}


def address(page: AreaPage) -> str:
    return "/".join("9" if part.startswith("{") else part for part in page.path.split("/"))


async def test_every_page_of_an_area_opens_for_whom_the_table_names_and_refuses_all_others_alike(plain_site):
    pages = [page for page in area_pages() if page.area.session is not None]
    refusals: dict[tuple[str, int], set[str]] = {}
    for (area, roles), sent in signed_in(plain_site, "matrix").items():
        for page in pages:
            answer = await plain_site.get(address(page), **sent)
            data = await plain_site.get(f"/data{address(page)}", **sent)
            told = await data.json()
            who = (page.id, area, roles)
            assert answer.status in expected(page, area, roles), who
            assert ("location" in told) == (answer.status == 303), who
            if answer.status in (303, 403):
                form = told.get("location") or json.dumps(told["props"], sort_keys=True)
                refusals.setdefault((page.id, answer.status), set()).add(form)
    assert refusals
    assert {key: len(forms) for key, forms in refusals.items()} == dict.fromkeys(refusals, 1)


async def test_a_list_is_a_file_for_those_who_may_open_its_page(plain_site):
    """/csv beside the document: the same status for everybody, so that no role saves what it may not read."""
    pages = [page for page in area_pages() if page.served and has_file(page)]
    assert len(pages) > 19
    assert {page.id for page in pages} >= set(CSV_FILES)
    await asyncio.to_thread(compute_days, plain_site)
    answers, declared = set(), set()
    for (area, roles), sent in signed_in(plain_site, "files").items():
        for page in pages:
            answer = await plain_site.get(f"/csv{address(page)}", **sent)
            # Nothing has the id of an address with one.
            (status,) = expected(page, area, roles) - ({200} if "{" in page.path else set())
            answers.add((page.id, area, roles, answer.status))
            declared.add((page.id, area, roles, status))
    assert answers == declared
    assert {status for *_, status in declared} == {200, 303, 403, 404}


def compute_days(site: Site) -> None:
    """Before that there is no file of visits: 503."""
    for builder in (DayBuilder, SaleDayBuilder):
        builder(site.db, site.settings.day_rules, lambda: datetime.now(UTC)).build_due()


def has_file(page: AreaPage) -> bool:
    return page.id in CSV_FILES or (page.id in LISTS and LISTS[page.id].spec.has_csv)
