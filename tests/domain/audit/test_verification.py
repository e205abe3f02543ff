"""Whatever is changed in the chain of events afterwards is found."""

from collections.abc import Callable

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from domain.audit import recording, verification
from domain.audit.recording import CHAIN, EVENTS, Subject
from domain.audit.verification import Verification
from tests.support import factories

pytestmark = pytest.mark.each_database

LAST = 6


@pytest.fixture
def chain(session) -> Session:
    """Six events in two transactions."""
    for numbers in ((1, 2, 3), (4, 5, 6)):
        recording.run(session, factories.actor(7), _record, numbers)
    return session


def _record(session: Session, numbers: tuple[int, ...]) -> None:
    for number in numbers:
        before, after = {"status": "draft", "übersicht": [1]}, {"status": "published", "übersicht": [number]}
        recording.record(
            session, "course.publish", Subject("course", number), before=before, after=after, reason="Wörter"
        )


def of(number: int) -> object:
    return EVENTS.c.number == number


def flipped(text: str) -> str:
    return chr(ord(text[0]) ^ 1) + text[1:]


def flip(column: str) -> Callable[[Session], object]:
    """The first letter or the lowest bit of a column of event 3 is another one."""

    def change(session: Session) -> None:
        value = session.scalar(select(EVENTS.c[column]).where(of(3)))
        new = {"roles": ["administratos"], "before": {"status": "drafu", "übersicht": [1]}, "after": None}
        if column == "occurred_at":
            value = value.replace(microsecond=value.microsecond ^ 1)
        elif column in new:
            value = new[column]
        else:
            value = flipped(value) if isinstance(value, str) and value else (value or 0) ^ 1 if not value else value ^ 1
        session.execute(update(EVENTS).where(of(3)).values({column: value}))

    return change


def insert_again(session: Session) -> None:
    """Event 6 once more, as number 7."""
    row = dict(session.execute(select(EVENTS).where(of(LAST))).mappings().one())
    del row["id"]
    session.execute(insert(EVENTS).values({**row, "number": LAST + 1, "previous_hash": row["hash"]}))


# What somebody does to the tables -> the number of the first event that is wrong.
TAMPERED: dict[str, tuple[Callable[[Session], object], int]] = {
    **{
        f"a flipped bit of {column}": (flip(column), 3)
        for column in (
            *("occurred_at", "actor_id", "area", "roles", "action", "subject_type", "subject_id", "before", "after"),
            *("reason", "request_id", "previous_hash", "hash"),
        )
    },
    "an organisation": (lambda session: session.execute(update(EVENTS).where(of(3)).values(organisation_id=1)), 3),
    "a network": (lambda session: session.execute(update(EVENTS).where(of(3)).values(ip_network="x")), 3),
    "an event less": (lambda session: session.execute(delete(EVENTS).where(of(2))), 2),
    "the last event less": (lambda session: session.execute(delete(EVENTS).where(of(LAST))), LAST),
    "an event more": (insert_again, LAST + 1),
    "another end": (lambda session: session.execute(update(CHAIN).values(hash="0" * 64)), LAST + 1),
    "no end": (lambda session: session.execute(delete(CHAIN)), 1),
}


def test_whatever_is_changed_afterwards_is_found(chain):
    assert verification.verify(chain) == Verification(LAST, None, LAST)
    wrong = {}
    for name, (change, _) in TAMPERED.items():
        with chain.begin_nested() as savepoint:
            change(chain)
            wrong[name] = verification.verify(chain).wrong
            savepoint.rollback()
    assert wrong == {name: number for name, (_, number) in TAMPERED.items()}
    assert verification.verify(chain).is_complete


def test_a_chain_is_checked_in_parts(chain):
    parts = [verification.verify(chain, after, limit=2) for after in (0, 2, 4, 6)]
    assert parts == [Verification(number, None, LAST) for number in (2, 4, 6, 6)]
    assert [part.is_complete for part in parts] == [False, False, True, True]
    chain.execute(update(EVENTS).where(of(4)).values(reason="x"))
    assert [verification.verify(chain, after, limit=2).wrong for after in (0, 2, 4)] == [None, 4, None]


def test_a_part_cannot_begin_after_an_event_that_is_missing(chain):
    assert verification.verify(chain, LAST + 3) == Verification(LAST + 2, LAST + 3, LAST)


def test_an_empty_chain_is_right(session):
    assert verification.verify(session) == Verification(0, None, 0)
    assert verification.verify(session).is_complete
