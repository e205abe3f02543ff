"""The rules of fairness, one by one."""

from dataclasses import replace

import pytest

from domain.seats import fairness
from domain.seats.fairness import (
    DAY,
    Complete,
    EndNotice,
    HeldSeat,
    Notice,
    PendingRequest,
    Reclaim,
    ReclaimTerms,
    Remind,
    Serve,
    actions,
)
from tests.support.factories import NOON

TERMS = ReclaimTerms(start_days=30, idle_days=90)
LONG_AGO = NOON - 200 * DAY
# Not started for so long that it goes back, and both mails were taken.
UNUSED = HeldSeat(1, 1, NOON - 31 * DAY, reminders=2)
# Studied, then idle, and its grace is over.
IDLE = HeldSeat(
    1,
    1,
    LONG_AGO,
    started_at=LONG_AGO,
    last_active_at=NOON - 110 * DAY,
    percent=40,
    reminders=2,
    notified_at=NOON - 14 * DAY,
    grace_until=NOON,
)
WAITING = PendingRequest(9, NOON - 5 * DAY)


def reclaimed(*held: HeldSeat, free: int = 0, waiting=(WAITING,), terms: ReclaimTerms = TERMS) -> list[int]:
    return [action.seat_id for action in actions(held, free, waiting, terms, NOON) if isinstance(action, Reclaim)]


@pytest.mark.parametrize("seat", [UNUSED, IDLE])
def test_a_seat_goes_back_to_whoever_waits(seat):
    assert actions([seat], 0, [WAITING], TERMS, NOON) == (
        Reclaim(1, "not_started" if seat is UNUSED else "idle"),
        Serve(9),
    )


@pytest.mark.parametrize(
    "seat",
    [
        pytest.param(replace(UNUSED, reminders=1), id="the second reminder was not taken by the mail server"),
        pytest.param(replace(UNUSED, assigned_at=NOON - 29 * DAY), id="the first 30 days"),
        pytest.param(replace(UNUSED, confirmed_at=NOON - 29 * DAY), id="I still need it, not started"),
        pytest.param(replace(UNUSED, paused_until=NOON + DAY), id="a pause"),
        pytest.param(replace(UNUSED, paused_until=NOON - 29 * DAY), id="days count from the end of a pause"),
        pytest.param(replace(IDLE, percent=80), id="80 % done"),
        pytest.param(replace(IDLE, quiz_at=NOON - 13 * DAY), id="a quiz within 14 days"),
        pytest.param(replace(IDLE, last_active_at=NOON - 89 * DAY), id="active within 90 days"),
        pytest.param(replace(IDLE, confirmed_at=NOON - DAY), id="I still need it in the grace"),
        pytest.param(replace(IDLE, grace_until=NOON + DAY), id="the grace runs"),
        pytest.param(replace(IDLE, notified_at=None, grace_until=None), id="no notice yet"),
        pytest.param(replace(IDLE, paused_until=NOON + DAY), id="a pause after the notice"),
        pytest.param(replace(IDLE, is_completed=True), id="completed"),
    ],
)
def test_a_protected_seat_is_never_taken_back(seat):
    assert reclaimed(seat) == []


def test_a_contract_may_wait_longer_and_not_shorter_than_30_days():
    assert reclaimed(UNUSED, terms=ReclaimTerms(start_days=60, idle_days=90)) == []
    assert reclaimed(replace(UNUSED, assigned_at=NOON - 20 * DAY), terms=ReclaimTerms(start_days=7, idle_days=90)) == []


def test_nothing_is_taken_back_while_a_seat_is_free_or_nobody_waits():
    assert actions([UNUSED], 1, [WAITING], TERMS, NOON) == (Serve(9),)
    assert actions([UNUSED], 0, [], TERMS, NOON) == ()


def test_the_longest_idle_goes_first_then_the_least_done_then_the_lowest_number():
    held = [
        replace(IDLE, id=1, number=3),
        replace(IDLE, id=2, number=2),
        replace(IDLE, id=3, number=1, percent=41),
        replace(IDLE, id=4, number=4, last_active_at=NOON - 111 * DAY),
    ]
    waiting = [replace(WAITING, id=number) for number in range(4)]
    assert reclaimed(*held, waiting=waiting) == [4, 2, 1, 3]
    assert reclaimed(*held, waiting=waiting[:2]) == [4, 2]


def test_the_queue_is_first_come_first_served_but_for_who_lost_a_seat():
    queue = [
        PendingRequest(1, NOON - DAY),
        PendingRequest(2, NOON - 2 * DAY),
        PendingRequest(3, NOON, has_priority=True),
    ]
    assert [request.id for request in fairness.in_turn(queue)] == [3, 2, 1]


def test_an_idle_seat_gets_a_notice_when_somebody_waits_and_as_many_as_wait():
    held = [replace(IDLE, id=number, number=number, notified_at=None, grace_until=None) for number in (1, 2)]
    assert actions(held, 0, [WAITING], TERMS, NOON) == (Notice(1, NOON + 14 * DAY),)
    assert actions(held, 0, [], TERMS, NOON) == ()
    noticed = replace(held[0], notified_at=NOON, grace_until=NOON + 14 * DAY)
    assert actions([noticed, held[1]], 0, [WAITING], TERMS, NOON) == ()


@pytest.mark.parametrize(
    ("seat", "waiting"),
    [
        (replace(IDLE, last_active_at=NOON - DAY), [WAITING]),
        (replace(IDLE, quiz_at=NOON - DAY), [WAITING]),
        (IDLE, []),
    ],
    ids=["active again", "a quiz", "nobody waits any more"],
)
def test_a_notice_ends_with_its_cause(seat, waiting):
    assert actions([seat], 0, waiting, TERMS, NOON) == (EndNotice(1),)


@pytest.mark.parametrize(
    ("days", "taken", "number"),
    [(6, 0, None), (7, 0, 1), (10, 1, None), (14, 1, 2), (40, 0, 1), (40, 2, None)],
)
def test_reminders_go_out_on_day_7_and_14_one_after_the_other(days, taken, number):
    seat = HeldSeat(1, 1, NOON - days * DAY, reminders=taken)
    assert actions([seat], 0, [], TERMS, NOON) == (() if number is None else (Remind(1, number),))
    assert actions([replace(seat, is_reminding=True)], 0, [], TERMS, NOON) == ()
    assert actions([replace(seat, started_at=NOON)], 0, [], TERMS, NOON) == ()


def test_a_completed_seat_is_spent_or_freed_as_the_contract_says():
    seat = replace(IDLE, is_completed=True)
    assert actions([seat], 0, [WAITING], TERMS, NOON) == (Complete(1, is_freed=False),)
    freeing = replace(TERMS, frees_completed=True)
    assert actions([seat], 0, [WAITING], freeing, NOON) == (Complete(1, is_freed=True), Serve(9))
