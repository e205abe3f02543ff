"""Every call and page that names a row by its id: of another organisation's rows nothing is found, in the same bytes as
of rows that nobody has, and nothing changes."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, event, select
from sqlalchemy.orm import Session

from domain.images import job as images
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.organisations.people_file import job as people_file
from domain.quotes import asking
from domain.quotes.asking import OwnerRef, StaffQuote
from domain.routes import area_pages
from domain.seats import numbers
from domain.tables import Contract, Invitation, Job, Learner, Membership, Organisation, Seat, SeatQuote
from domain.uploads import upload_rows
from domain.uploads.upload_rows import NewUpload
from host.api.registry import CALLS
from tests.domain.quotes.world import QUOTE_TERMS, at
from tests.domain.seats.test_seat_orders import ADDRESS
from tests.domain.seats.world import recorded
from tests.host.organisation.world import TwoOrganisations, two_organisations
from tests.host.site import SHARED, Site
from tests.host.test_area_matrix import sent_by
from tests.support import factories
from tests.support.statements import recorded_everywhere

pytestmark = SHARED

NOBODY = 987_654_321
KEY = "0123456789abcdef"
# Call -> whose id it names, and the rest of what it needs.
CALLED: dict[str, tuple[str, dict[str, Any]]] = {
    "organization/contracts/{id}/new-code": ("contract", {}),
    "organization/contracts/{id}/no-code": ("contract", {}),
    "organization/invitations/{id}/cancel": ("invitation", {}),
    "organization/invitations/{id}/resend": ("invitation", {}),
    "organization/logos/{id}": ("image", {}),
    "organization/members/{id}/remove": ("member", {"reason": "Left"}),
    "organization/members/{id}/role": ("member", {"role": "member"}),
    "organization/members/{id}/role/preview": ("member", {"role": "member"}),
    "organization/members/{id}/team": ("member", {"team": "North"}),
    "organization/people-files/{id}": ("file", {}),
    "organization/people-files/{id}/stop": ("file", {}),
    "organization/quotes/{id}/accept": ("quote", {"totalMinor": "1", "terms": "2026-01-01"}),
    "organization/quotes/{id}/withdraw": ("quote", {}),
    "organization/seats/{id}/reclaim": ("seat", {"reason": "Not used"}),
    "organization/seats/{id}/remind": ("seat", {}),
}
# Field of a body -> the same.
IN_BODIES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("organization/invitations", "contractId", "contract", {"email": "new@example.test"}),
    ("organization/seats/assign", "contract", "contract", {"email": "new@example.test"}),
    ("organization/profile/logo", "jobId", "image", {}),
    ("organization/logos", "uploadId", "upload", {"idempotencyKey": KEY}),
    ("organization/people-files", "uploadId", "upload", {"contractId": "", "isCheck": True, "idempotencyKey": KEY}),
]
# A field of a body that names a row ends so. A course is the shop's, and belongs to no organisation.
# What needs a file or a form first is tested below its call: tests/domain/organisations/test_invitations.py, for each
# row of a file too, and tests/domain/seats/test_seat_orders.py.
BELOW = {
    ("organization/people-files", "contractId"),
    ("organization/quotes", "contract"),
    ("organization/seats/buy", "contract"),
}
NAMES_A_ROW = re.compile(r"(?:Id|^contract|^job)$")
SHOWN = {
    "/organization/invitations/{id}": "invitation",
    "/organization/members/{id}": "member",
    "/organization/quotes/{id}": "quote",
    "/organization/seats/{id}": "seat",
}
TABLES = (Contract, Invitation, Job, Membership, Organisation, Seat, SeatQuote)
# Not jobs: the site looks for new ones all the time.
OWN = re.compile(rf"\b(?:{'|'.join(table.__tablename__ for table in TABLES if table is not Job)})\b")


def rivals(site: Site, world: TwoOrganisations) -> dict[str, int]:
    """Ids of rows of the other organisation by name."""
    now = datetime.now(UTC)
    with site.db.write_session() as session:
        contract = session.scalars(select(Contract).where(Contract.organisation_id == world.other)).one()
        numbers.set_number(session, contract, 2, now)
        invitation = Invitation(
            organisation_id=world.other,
            contract_id=contract.id,
            email_key="ines@example.test",
            sent_at=now,
            expires_at=now + timedelta(days=14),
        )
        session.add(invitation)
        session.flush()
        started = {
            name: job_rows.start(
                session, NewJob(kind, source, f"{world.rival.id}:{name}-0123456789", world.rival.id), now
            )
            for name, kind, source in (
                ("image", images.KIND, {"created_by": world.rival.id}),
                ("file", people_file.KIND, {"organisation_id": world.other}),
            )
        }
        # Nobody runs them: what they are is what the calls find.
        for job_id in started.values():
            session.get_one(Job, job_id).state = "done"
        return {
            **started,
            "upload": upload_rows.begin(session, NewUpload("a.csv", 9, "import", world.rival.id), now).id,
            "contract": contract.id,
            "invitation": invitation.id,
            "quote": quote_of(session, world),
            "member": session.scalars(select(Membership.id).where(Membership.organisation_id == world.other)).one(),
            "seat": session.scalars(select(Seat.id).where(Seat.contract_id == contract.id)).first() or 0,
        }


def quote_of(session: Session, world: TwoOrganisations) -> int:
    """The id of a quote for the other organisation."""
    session.get_one(Learner, world.rival.id).email = "rosa@example.test"
    wanted = StaffQuote(world.rival.id, "vat-basics", 2, Decimal("80.00"), 365, ADDRESS)
    about = OwnerRef(world.other, world.rival.id), wanted, QUOTE_TERMS, at(datetime.now(UTC))
    return recorded(session, asking.make, *about).id


def rows(site: Site) -> dict[str, list[Any]]:
    with site.db.read_session() as session:
        return {table.__name__: [*session.execute(table.__table__.select()).all()] for table in TABLES}


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL about TABLES without jobs that is executed inside; it is in the list afterwards."""
    texts: list[str] = []
    with recorded_everywhere() as executed:
        yield texts
    texts.extend(text for text, _ in executed if OWN.search(text))


def forms(key: int) -> list[str]:
    """The forms of an id in an address: as it is, as a text, a fraction, a list and an object."""
    return [str(key), f'"{key}"', f"{key}.0", f"[{key}]", json.dumps({"id": key})]


async def test_no_call_and_no_page_with_an_id_is_forgotten():
    calls = {name for (_, name), call in CALLS.items() if call.policy.area == "organisation" and "{id}" in name}
    pages = {page.path for page in area_pages() if page.area.id == "organization" and "{id}" in page.path}
    assert (calls, pages) == (set(CALLED), set(SHOWN))
    fields = {
        (name, field.alias or key)
        for (_, name), call in CALLS.items()
        if call.policy.area == "organisation"
        for key, field in call.request_model.model_fields.items()
    }
    named = {(name, field) for name, field in fields if NAMES_A_ROW.search(field)}
    assert named == {(name, field) for name, field, _, _ in IN_BODIES} | BELOW


async def test_by_no_form_of_an_id_in_an_address_anything_of_others_is_found(plain_site):
    world = two_organisations(plain_site, "foreign-ids")
    ids, method_of = rivals(plain_site, world), {name: method for method, name in CALLS}
    before = rows(plain_site)
    for name, (kind, body) in CALLED.items():
        sent = None if method_of[name] == "GET" else body
        for own, nobodys in zip(forms(ids[kind]), forms(NOBODY), strict=True):
            answers = [
                await plain_site.answer(name.replace("{id}", key), sent, world.owner.headers, method_of[name])
                for key in (own, nobodys)
            ]
            texts = [(answer.status, (await answer.json())["detail"]) for answer in answers]
            assert (texts[0], texts[0][0]) == (texts[1], 404), f"{name} with {own}"
    assert rows(plain_site) == before


@pytest.mark.parametrize(("name", "field", "kind", "body"), IN_BODIES, ids=lambda value: str(value)[:40])
async def test_nor_by_one_in_a_body(plain_site, name, field, kind, body):
    world = two_organisations(plain_site, f"in-body-{field.lower()}-{name.rpartition('/')[2]}")
    ids = rivals(plain_site, world)
    before = rows(plain_site)
    statuses = set()
    for form in (int, str, float, lambda key: [key], lambda key: {"id": key}):
        found, unknown = [
            await plain_site.call(name, {**body, field: form(key)}, world.owner.headers) for key in (ids[kind], NOBODY)
        ]
        assert (found[0], found[1].get("detail")) == (unknown[0], unknown[1].get("detail")), form
        statuses.add(found[0])
    assert statuses == {404, 422}
    assert rows(plain_site) == before


@pytest.mark.parametrize("path", SHOWN)
async def test_no_page_shows_a_row_of_others(plain_site, path):
    world = two_organisations(plain_site, f"shown-{SHOWN[path]}")
    key = rivals(plain_site, world)[SHOWN[path]]
    for form in forms(key):
        answer = await plain_site.get(f"/data{path.replace('{id}', form)}", **sent_by(world.owner))
        assert (await answer.json())["status"] == 404, form
    with plain_site.db.write_session() as session:
        factories.member(session, world.owner.id, world.other, role="owner")
    world.owner.choose(world.other)
    answer = await plain_site.get(f"/data{path.replace('{id}', str(key))}", **sent_by(world.owner))
    assert (await answer.json())["status"] == 200


async def test_of_another_organisation_as_much_is_read_as_of_what_nobody_has(plain_site):
    """Equal statements are executed: so an answer takes as long, on whatever machine."""
    world = two_organisations(plain_site, "as-much")
    ids, method_of = rivals(plain_site, world), {name: method for method, name in CALLS}
    asked = [(f"/api/{name}", method_of[name], kind, body) for name, (kind, body) in CALLED.items()]
    asked += [(f"/data{path}", "GET", kind, {}) for path, kind in SHOWN.items()]
    for path, method, kind, body in asked:
        read = []
        for key in (ids[kind], NOBODY):
            sent = world.owner.headers if path.startswith("/api/") else sent_by(world.owner)
            with statements() as executed:
                answer = await plain_site.client.request(
                    method, path.replace("{id}", str(key)), headers=sent, json=None if method == "GET" else body
                )
                assert answer.status in (200, 404)
            read.append(executed)
        assert read[0], path
        assert read[0] == read[1], path


OF_THE_TENANT = re.compile(r"(?:\w+\.)?organisation_id = (\?)")


@contextmanager
def no_tenant() -> Iterator[None]:
    """Statements about the rows of one organisation find those of all."""

    def widen(_connection: object, _cursor: object, statement: str, values: Any, *_rest: object) -> tuple[str, Any]:
        return OF_THE_TENANT.sub(r"\1 IS NOT NULL", statement), values

    event.listen(Engine, "before_cursor_execute", widen, retval=True)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", widen)


@pytest.mark.parametrize("path", SHOWN)
async def test_without_the_condition_a_page_would_show_it(plain_site, path):
    """The negative control."""
    world = two_organisations(plain_site, f"control-{SHOWN[path]}")
    key = rivals(plain_site, world)[SHOWN[path]]
    with no_tenant():
        answer = await plain_site.get(f"/data{path.replace('{id}', str(key))}", **sent_by(world.owner))
    assert (await answer.json())["status"] == 200


CHANGED = {name: about for name, about in CALLED.items() if about[0] in ("contract", "invitation", "member", "seat")}


@pytest.mark.parametrize("name", CHANGED)
async def test_without_the_condition_a_call_would_reach_it(plain_site, name):
    """The negative control: what it then says of the row differs, but it is found."""
    kind, body = CHANGED[name]
    world = two_organisations(plain_site, f"control-{name.partition('/')[2].replace('/', '-').replace('{id}', 'id')}")
    key = rivals(plain_site, world)[kind]
    with no_tenant():
        answer = await plain_site.answer(name.replace("{id}", str(key)), body, world.owner.headers)
    assert answer.status != 404
