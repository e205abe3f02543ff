"""The contracts of all organisations, as a list for staff."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, literal, select
from sqlalchemy.orm import Session

from domain.database.list_page import ListSource
from domain.seats.seat_rows import is_unpaid
from domain.tables import Contract, Organisation, Seat

_contracts, _seats = Contract.__table__.c, Seat.__table__.c
# Each a parameter: the statement is compiled once.
_TAKEN = [literal(state) for state in ("active", "spent", "reserved")]
_OF_CONTRACT = Organisation.id == _contracts.organisation_id


class ContractRow(NamedTuple):
    """`used`: seats with a holder. `term_days` as in tables.Contract."""

    id: int
    organisation: str
    starts_at: datetime
    ends_at: datetime | None
    seats: int | None
    seat_kind: str
    used: int
    term_days: int | None

    @property
    def is_unpaid(self) -> bool:
        return is_unpaid(self)


def _by_organisation(text: str) -> ColumnElement[bool]:
    return (
        select(Organisation.id)
        .where(_OF_CONTRACT, Organisation.name.contains(text, autoescape=True) | (Organisation.slug == text.casefold()))
        .exists()
    )


CONTRACTS = ListSource(
    rows=select(
        _contracts.id,
        select(Organisation.name).where(_OF_CONTRACT).scalar_subquery(),
        *(_contracts.starts_at, _contracts.ends_at, _contracts.seats, _contracts.seat_kind),
        select(func.count(_seats.id))
        .where(_seats.contract_id == _contracts.id, _seats.state.in_(_TAKEN))
        .scalar_subquery(),
        _contracts.term_days,
    ),
    make=ContractRow._make,
    key=_contracts.id,
    filters={"organisation": _by_organisation},
)


def contracts_of_organisation(session: Session, organisation_id: int) -> list[ContractRow]:
    """The newest first."""
    query = CONTRACTS.rows.where(_contracts.organisation_id == organisation_id).order_by(_contracts.id.desc())
    return [ContractRow._make(row) for row in session.execute(query)]
