"""Certificates are issued with the completion, with the name of then, and once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from contracts.payloads import RecountItem, decode
from domain.database.database import Database
from domain.errors import InvalidInput, NotFound, Refused
from domain.learning import grants, outline, progress, recount
from domain.learning.certificates import certificate_views as certificate_reading
from domain.learning.certificates import issuing, revoking
from domain.learning.certificates import issuing as certificate_issuing
from domain.learning.grants import GrantSource
from domain.learning.progress_merge import ProgressChange
from domain.tables import Certificate, Enrolment, Learner, Outbox, Product
from tests.domain.learning.certificates.conftest import put_rule, studying
from tests.support.factories import NOON

DAY = timedelta(days=1)


def finish(world, at=NOON) -> None:
    progress.record(world.session, world.learner, [ProgressChange(world.lesson, at, is_done=True)], at)


def rename(world, name: str) -> None:
    world.session.get_one(Learner, world.learner).name = name


def rows(world) -> list[Certificate]:
    return list(world.session.scalars(select(Certificate).order_by(Certificate.number)))


def mails(world) -> list[dict]:
    kind = "mail.certificate_issued"
    return list(world.session.scalars(select(Outbox.body).where(Outbox.kind == kind).order_by(Outbox.id)))


@pytest.mark.each_database
def test_the_change_that_completes_the_course_issues_its_certificate_and_a_mail(world):
    finish(world)
    (row,) = rows(world)
    assert (row.holder_name, row.number, row.rule_text) == ("Ada Lovelace", 1, "Finish the lesson.")
    assert (row.completed_at, row.issued_at, row.expires_at, len(row.code)) == (NOON, NOON, None, 22)
    assert row.status_index == row.id
    assert mails(world) == [{"certificate_id": row.id, "v": 1}]


def test_later_names_of_learner_and_course_change_nothing(world):
    finish(world)
    rename(world, "Ada King")
    world.session.get_one(Product, world.course).name = "VAT, second edition"
    finish(world, NOON + DAY)
    (row,) = rows(world)
    assert (row.holder_name, row.course_name) == ("Ada Lovelace", "Vat Basics")


def test_a_rule_without_certificate_issues_none_and_takes_no_name(world):
    put_rule(world.session, world.course, has_certificate=False)
    finish(world)
    with pytest.raises(NotFound):
        certificate_issuing.put_name(world.session, world.learner, world.course, "Ada King", NOON)
    assert (rows(world), certificate_reading.of_learner(world.session, world.learner, NOON).unnamed) == ([], ())


def test_without_a_name_the_certificate_waits_for_it(world):
    rename(world, " ")
    finish(world)
    own = certificate_reading.of_learner(world.session, world.learner, NOON)
    assert (own.issued, [course.course_slug for course in own.unnamed]) == ((), ["vat-basics"])
    certificate_issuing.put_name(world.session, world.learner, world.course, "  Ada \n Lovelace ", NOON + DAY)
    (row,) = rows(world)
    assert (row.holder_name, row.completed_at, row.issued_at) == ("Ada Lovelace", NOON, NOON + DAY)
    assert certificate_reading.of_learner(world.session, world.learner, NOON).unnamed == ()


def test_before_the_completion_a_name_issues_nothing(world):
    for learner in (world.learner, world.learner + 1):
        with pytest.raises(NotFound):
            certificate_issuing.put_name(world.session, learner, world.course, "Ada", NOON)
    assert rows(world) == []


@pytest.mark.parametrize("name", ["", "  ", "123", "Ada\u202eecalevoL", "A" * 121, "Ada\x00"])
def test_a_name_that_is_none_is_refused(world, name):
    finish(world)
    with pytest.raises(InvalidInput):
        certificate_issuing.put_name(world.session, world.learner, world.course, name, NOON)
    assert [row.holder_name for row in rows(world)] == ["Ada Lovelace"]


def test_a_correction_gives_a_new_code_and_revokes_the_old_one_once(world):
    finish(world)
    certificate_issuing.put_name(world.session, world.learner, world.course, "Ada King", NOON + 29 * DAY)
    wrong, right = rows(world)
    assert (wrong.revoked_reason, wrong.revoked_at, wrong.holder_name) == (
        "replaced",
        NOON + 29 * DAY,
        "Ada Lovelace",
    )
    assert (right.number, right.holder_name, right.completed_at, right.revoked_at) == (2, "Ada King", NOON, None)
    assert right.code != wrong.code
    assert [mail["certificate_id"] for mail in mails(world)] == [wrong.id, right.id]
    with pytest.raises(Refused):
        certificate_issuing.put_name(world.session, world.learner, world.course, "Ada", NOON + 29 * DAY)
    assert len(rows(world)) == 2


def test_the_same_name_again_is_no_correction(world):
    finish(world)
    certificate_issuing.put_name(world.session, world.learner, world.course, "Ada  Lovelace", NOON + 40 * DAY)
    assert len(rows(world)) == 1


def test_after_thirty_days_the_name_is_final(world):
    finish(world)
    with pytest.raises(Refused):
        certificate_issuing.put_name(world.session, world.learner, world.course, "Ada King", NOON + 30 * DAY)
    assert len(rows(world)) == 1


def test_a_certificate_ends_so_many_months_after_the_completion(world):
    put_rule(world.session, world.course, valid_months=24)
    finish(world)
    assert rows(world)[0].expires_at == NOON.replace(year=2028)


ENDS = [(1, "2026-02-28"), (13, "2027-02-28"), (25, "2028-02-29"), (12, "2027-01-31")]


@pytest.mark.parametrize(("months", "end"), ENDS)
def test_the_last_day_of_a_longer_month_becomes_the_last_day(months, end):
    assert f"{issuing.months_after(NOON.replace(month=1, day=31), months):%Y-%m-%d}" == end


def renew(world, passed_at, at):
    enrolment = world.session.scalars(select(Enrolment)).one()
    rule = outline.rule_of(world.session, world.course)
    return certificate_issuing.renew_if_passed_again(world.session, enrolment, rule, passed_at, at)


def test_passing_all_quizzes_again_in_the_last_ninety_days_renews(world):
    put_rule(world.session, world.course, valid_months=12)
    finish(world)
    end = NOON.replace(year=2027)
    soon = end - 90 * DAY
    assert renew(world, [soon - DAY], soon - DAY) is None
    assert renew(world, [soon, None], soon) is None
    assert renew(world, [], soon) is None
    renewed = renew(world, [soon, soon + DAY], soon + DAY)
    assert (renewed.number, renewed.completed_at) == (2, soon + DAY)
    assert renewed.expires_at == issuing.months_after(soon + DAY, 12)
    assert rows(world)[0].revoked_at is None
    assert renew(world, [soon, soon + DAY], soon + DAY) is None


def test_what_has_no_end_or_was_revoked_is_not_renewed(world):
    finish(world)
    assert renew(world, [NOON + DAY], NOON + DAY) is None
    row = rows(world)[0]
    row.expires_at, row.revoked_at, row.revoked_reason = NOON + DAY, NOON, "fraud"
    assert renew(world, [NOON + DAY], NOON + DAY) is None


def test_passes_within_minutes_of_a_short_certificate_issue_no_others(world):
    """Its last ninety days begin before its completion."""
    put_rule(world.session, world.course, valid_months=1)
    finish(world)
    half = NOON + (issuing.months_after(NOON, 1) - NOON) / 2
    for at in (NOON, *(NOON + minutes * timedelta(minutes=1) for minutes in range(1, 6)), half - DAY):
        assert renew(world, [at], at) is None
    assert renew(world, [half - DAY, half], half) is None
    assert renew(world, [half], half).number == 2
    assert len(mails(world)) == 2


def test_passes_from_before_a_certificate_was_issued_do_not_renew_it(world):
    put_rule(world.session, world.course, valid_months=2)
    rename(world, "")
    finish(world)
    named = NOON + 50 * DAY
    certificate_issuing.put_name(world.session, world.learner, world.course, "Ada", named)
    assert renew(world, [named - DAY], named + DAY) is None
    assert renew(world, [named], named + DAY).number == 2


def refund(world, line: int, at) -> None:
    grants.end(world.session, GrantSource("order", line), at, "refund")
    revoking.revoke_refunded(world.session, [line], at)


def buy(world, line: int, at) -> None:
    grants.grant(world.session, world.learner, [world.course], GrantSource("order", line), at)


@pytest.mark.each_database
def test_a_course_that_is_bought_again_after_a_refund_certifies_again(world):
    finish(world)
    refund(world, 1, NOON + DAY)
    for line in (2, 3):
        buy(world, line, NOON + 2 * DAY)
        finish(world, NOON + 2 * DAY)
    first, second = rows(world)
    assert (first.revoked_reason, first.number) == ("refunded", 1)
    assert (second.revoked_at, second.number, second.completed_at) == (None, 2, NOON)
    assert (second.issued_at, len(mails(world))) == (NOON + 2 * DAY, 2)
    # And once more.
    refund(world, 2, NOON + 3 * DAY)
    refund(world, 3, NOON + 3 * DAY)
    buy(world, 4, NOON + 4 * DAY)
    assert [(row.number, row.revoked_reason) for row in rows(world)][1:] == [(2, "refunded"), (3, "")]


def test_one_that_was_revoked_otherwise_stays_so_when_the_course_is_bought_again(world):
    finish(world)
    revoking.revoke(world.session, rows(world)[0].code, "fraud", NOON)
    refund(world, 1, NOON + DAY)
    buy(world, 2, NOON + 2 * DAY)
    assert [row.revoked_reason for row in rows(world)] == ["fraud"]
    with pytest.raises(Refused):
        certificate_issuing.put_name(world.session, world.learner, world.course, "Ada King", NOON + 2 * DAY)


def test_a_refunded_course_certifies_nobody(world):
    rename(world, "")
    finish(world)
    refund(world, 1, NOON + DAY)
    assert certificate_reading.of_learner(world.session, world.learner, NOON + DAY).unnamed == ()
    with pytest.raises(NotFound):
        certificate_issuing.put_name(world.session, world.learner, world.course, "Ada", NOON + DAY)
    buy(world, 2, NOON + 2 * DAY)
    assert len(certificate_reading.of_learner(world.session, world.learner, NOON + 2 * DAY).unnamed) == 1
    assert certificate_issuing.put_name(world.session, world.learner, world.course, "Ada", NOON + 2 * DAY).number == 1


def test_work_from_before_a_refund_is_stored_and_certifies_when_the_course_is_bought_again(world):
    refund(world, 1, NOON + DAY)
    progress.record(world.session, world.learner, [ProgressChange(world.lesson, NOON, is_done=True)], NOON + 2 * DAY)
    assert (world.session.scalars(select(Enrolment.completed_at)).one(), rows(world)) == (NOON + DAY, [])
    buy(world, 2, NOON + 3 * DAY)
    assert [(row.number, row.completed_at) for row in rows(world)] == [(1, NOON + DAY)]


@pytest.mark.parametrize(("has_access", "number"), [(True, 1), (False, 0)])
def test_a_recount_certifies_only_who_has_access(world, has_access, number):
    """An outline that changed completes people, and not those who got their money back."""
    finish(world, NOON)
    world.session.execute(delete(Certificate))
    world.session.scalars(select(Enrolment)).one().completed_at = None
    if not has_access:
        refund(world, 1, NOON + DAY)
    recount.recount(world.session, world.course, 0, NOON + 2 * DAY)
    assert len(rows(world)) == number
    # Who comes back is counted anew, alone.
    world.session.execute(delete(Outbox))
    buy(world, 2, NOON + 3 * DAY)
    items = world.session.scalars(select(Outbox.body).where(Outbox.kind == "learning.recount")).all()
    assert [item["is_single"] for item in items] == [True] * (1 - number)
    for item in items:
        recount.recount_and_go_on(world.session, decode(RecountItem, item), NOON + 3 * DAY)
    assert len(rows(world)) == 1


THREADS = 8


@pytest.fixture
def committed(database: Database):
    with database.write_session() as session:
        world = studying(session)
    world.database = database
    return world


def at_once(work) -> list[object]:
    gate = Barrier(THREADS)

    def wait_and_work(number: int) -> object:
        gate.wait()
        try:
            return work(number)
        except IntegrityError as error:
            return error

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(wait_and_work, range(THREADS)))


def stored(database: Database) -> list[tuple[int, str]]:
    with database.read_session() as session:
        rows = session.execute(select(Certificate.number, Certificate.revoked_reason).order_by(Certificate.number))
        return [tuple(row) for row in rows]


@pytest.mark.each_database
def test_completions_and_names_at_once_issue_one_certificate(committed):
    change = ProgressChange(committed.lesson, NOON, is_done=True)
    at_once(lambda _: committed.database.write_sync(progress.record, committed.learner, [change], NOON))
    assert stored(committed.database) == [(1, "")]
    with committed.database.read_session() as session:
        assert len(session.scalars(select(Outbox)).all()) == 1


@pytest.mark.each_database
def test_corrections_at_once_correct_once(committed):
    change = ProgressChange(committed.lesson, NOON, is_done=True)
    committed.database.write_sync(progress.record, committed.learner, [change], NOON)

    def correct(number: int) -> str:
        try:
            name = f"Ada {'King' * (number + 1)}"
            return committed.database.write_sync(
                lambda session: (
                    certificate_issuing.put_name(session, committed.learner, committed.course, name, NOON).code
                )
            )
        except Refused:
            return "refused"

    answers = at_once(correct)
    assert (answers.count("refused"), stored(committed.database)) == (THREADS - 1, [(1, "replaced"), (2, "")])


@pytest.mark.each_database
def test_without_the_lock_only_the_unique_number_stops_a_second_certificate(committed):
    """The negative control: all look before one of them issues."""
    with committed.database.write_session() as session:
        session.scalars(select(Enrolment)).one().completed_at = NOON
    gate = Barrier(THREADS)

    def issue_unguarded(_: int) -> object:
        with committed.database.read_session() as session:
            enrolment = session.scalars(select(Enrolment)).one()
            assert issuing._newest(session, enrolment.id) is None
        gate.wait()
        with committed.database.write_session() as session:
            rule = outline.rule_of(session, committed.course)
            course = issuing._course_facts(session, committed.course, rule)
            issuing._add(session, issuing._row(enrolment, course, "Ada", NOON), NOON)
        return None

    answers = at_once(issue_unguarded)
    assert [isinstance(answer, IntegrityError) for answer in answers].count(True) == THREADS - 1
    assert stored(committed.database) == [(1, "")]
