"""Invented cart links of assistants in the last four weeks, and paid orders that came of them: so that the report on
agents of a new shop has every column. Every load creates the same ones."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.crawlers import program_links
from domain.tables import Order, OrderLine, ProgramLink

DAYS = 28
# Program, how many links it made, and how many of these people opened. The last is one that nobody knows.
_MAKERS = (("ChatGPT-User", 11, 7), ("Claude-User", 5, 4), ("Perplexity-User", 4, 1), ("Python Requests", 3, 0))
# The programs that brought the latest paid orders, one after the other; the first refunds some of it.
_BUYERS = ("ChatGPT-User", "Claude-User", "ChatGPT-User")


def add_agents(session: Session, at: datetime) -> None:
    """Add the links, and name the programs of some orders, unless a load before has."""
    if session.scalar(select(ProgramLink.digest).limit(1)) is not None:
        return
    orders = session.execute(
        select(Order.id, Order.placed_at)
        .where(Order.paid_at >= at - timedelta(days=DAYS), Order.paid_at <= at)
        .order_by(Order.paid_at.desc(), Order.id)
        .limit(len(_BUYERS))
    ).all()
    for (order_id, placed_at), agent in zip(orders, _BUYERS, strict=False):
        of_order = (OrderLine.order_id == order_id, OrderLine.kind == "product")
        session.execute(update(OrderLine).where(*of_order).values(agent=agent))
        _add_link(session, f"order {order_id}", agent, (placed_at - timedelta(hours=2), placed_at))
    for agent, made, opened in _MAKERS:
        for number in range(made):
            # Spread over the days, and over their hours.
            created_at = at - timedelta(days=DAYS * (number + 0.4) / made, hours=(number * 7) % 5)
            opened_at = [created_at + timedelta(minutes=9)] if number < opened else []
            _add_link(session, f"{agent} {number}", agent, [created_at, *opened_at])


def _add_link(session: Session, name: str, agent: str, times: Sequence[datetime]) -> None:
    """`times`: when it was made, and opened if it was."""
    created_at, *opened_at = times
    digest = sha256(f"demo link {name}".encode()).hexdigest()
    program_links.note_created(session, digest, agent, created_at)
    session.flush()
    for time in opened_at:
        program_links.note_opened(session, digest, time)
