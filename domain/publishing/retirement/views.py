"""One retired product as the staff see it: its row in the list, the visits to its page, and what is proposed."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue import redirects
from domain.catalogue.redirects import RedirectTarget
from domain.catalogue.retirement_rules import Proposal, proposal
from domain.errors import NotFound
from domain.publishing.editing.retired_list import RetiredRow, retired_list
from domain.tables import Product
from domain.visits.product_visits import MonthVisits, months_of


@dataclass(frozen=True)
class RetiredProduct:
    """`successor`: the one on sale, which is not always that which was named, `named_successor`: its slug or ""."""

    row: RetiredRow
    version: int
    slug: str
    named_successor: str
    successor: RedirectTarget | None
    months: list[MonthVisits]
    proposal: Proposal


def retired_product(session: Session, product_id: int, at: datetime, today: date) -> RetiredProduct:
    """`today`: the day of the reports. Raises NotFound for what is not retired."""
    source = retired_list(lambda: at)
    cells = session.execute(source.rows.where(Product.id == product_id), source.values).one_or_none()
    if cells is None:
        raise NotFound("There is no such retired course or item.")
    product = session.get_one(Product, product_id)
    target = redirects.successor(session, product)
    name = None if target is None else session.scalar(select(Product.name).where(Product.id == target.id))
    row, months = replace(source.make(cells), successor=name), months_of(session, product_id, today)
    visits = sum(month.visits or 0 for month in months)
    named = select(Product.slug).where(Product.id == product.successor_id)
    return RetiredProduct(
        row,
        product.version,
        product.slug,
        session.scalar(named) or "",
        target,
        months,
        proposal(row.page, visits, name or "", at),
    )
