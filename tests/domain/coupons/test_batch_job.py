"""A batch of coupons is made step by step, goes on where it stopped, and its file is handed out once."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from adapters.jobs import JobRunner
from domain.audit.recording import Subject
from domain.coupons import batch_job
from domain.coupons.batch_job import NewBatch
from domain.coupons.changes import CouponAuthor
from domain.coupons.create import CouponDraft
from domain.errors import InvalidInput, NotFound, Refused
from domain.jobs.claims import JobStep
from domain.staff import recorded_chain as chain
from domain.staff.recorded_events import subject_entries
from domain.tables import Coupon, CouponProduct, Job
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import USD

DRAFT = CouponDraft("percent", Decimal("12.5"), USD, products=("vat-basics",), campaign="Spring", ends_at=NOON)
BATCH = NewBatch(1_200, "SPRING", replace(DRAFT, starts_at=NOON - timedelta(days=9)), "key-of-the-form")


@pytest.fixture
def world(database):
    with database.write_session() as session:
        staff = factories.learner(session, name="Grace Hopper")
        factories.course(session, factories.category(session).id, "vat-basics")
        return database, factories.actor(staff.id, "marketer", at=NOON)


def start(world, batch=BATCH, roles=("marketer",)):
    database, actor = world
    author = CouponAuthor(roles, 60, NOON)
    return database.write_as_sync(actor, batch_job.start_as_staff, batch, actor.learner_id, author, "A mailing")


def run(world, kind=lambda claim: batch_job.steps(claim, NOON)):
    return JobRunner(world[0], {batch_job.KIND: kind}).run_slice()


def take(world, batch_id, key="first"):
    return world[0].write_as_sync(world[1], batch_job.take_codes, batch_id, key, NOON)


def count(world, table=Coupon):
    with world[0].read_session() as session:
        return session.scalar(select(func.count()).select_from(table))


def test_all_codes_have_the_terms_and_the_file_is_handed_out_once(world):
    batch_id = start(world)
    assert start(world) == batch_id
    assert run(world)
    with world[0].read_session() as session:
        batch = batch_job.batch(session, batch_id)
        coupon = session.scalars(select(Coupon).order_by(Coupon.id.desc())).first()
        assert (batch.state, batch.processed, batch.total) == ("done", 1_200, 1_200)
        assert (coupon.value, coupon.campaign, coupon.ends_at, coupon.batch_id) == (
            Decimal("12.5"),
            "Spring",
            NOON,
            batch_id,
        )
    codes = take(world, batch_id)
    assert (len(set(codes)), {code[:7] for code in codes}) == (1_200, {"SPRING-"})
    assert (count(world), count(world, CouponProduct)) == (1_200, 1_200)
    with pytest.raises(Refused, match="was taken before"):
        take(world, batch_id, "second")
    with world[0].read_session() as session:
        actions = [entry.action for entry in subject_entries(session, Subject("job", batch_id))]
    assert actions == ["coupon_batch.take", "coupon_batch.start"]


@pytest.mark.each_database
def test_a_batch_that_was_interrupted_goes_on_and_makes_no_code_twice(world):
    def interrupted(claim):
        for number, step in enumerate(batch_job.steps(claim, NOON)):
            if number:
                raise ZeroDivisionError
            yield JobStep(step.work, step.processed, step.total)

    batch_id = start(world)
    run(world, interrupted)
    assert count(world) == 500
    with world[0].write_session() as session:
        job = session.get_one(Job, batch_id)
        job.state, job.heartbeat_at, job.ended_at = "running", None, None
    run(world)
    assert (count(world), len(take(world, batch_id))) == (1_200, 1_200)


WRONG = {
    "too many": ({"number": 10_001}, "number"),
    "none": ({"number": 0}, "number"),
    "a prefix with a space": ({"prefix": "A B"}, "prefix"),
    "an unknown product": ({"draft": replace(DRAFT, products=("nothing",))}, "form"),
    "more than this person may": ({"draft": replace(DRAFT, value=Decimal(61))}, "value"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_before_anything_begins(world, case):
    change, field = WRONG[case]
    with pytest.raises(InvalidInput) as raised:
        start(world, replace(BATCH, **change))
    assert (list(raised.value.errors), count(world, Job)) == ([field], 0)


def test_codes_are_not_handed_out_before_all_are_made(world):
    batch_id = start(world)
    with pytest.raises(Refused):
        take(world, batch_id, "second")
    with pytest.raises(NotFound):
        take(world, batch_id + 1)
    with world[0].read_session() as session:
        assert chain.chain_state(session)[0] == 1
