"""What the host served on a day, computed with the days of visits."""

from datetime import date

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, exact_text

# Rows are kept in the order of the key alone.
_BY_KEY = {**MARIADB, "sqlite_with_rowid": False}


class ServedDay(Base):
    """Documents that agents of a class (domain/visits/served_documents.py) were served on a day, and how many our
    script has seen: loads of documents that it has reported. `seen` may be more: browsers show some pages again from
    their own memory."""

    __tablename__ = "served_days"
    __table_args__ = _BY_KEY

    day: Mapped[date] = mapped_column(primary_key=True)
    agent_class: Mapped[str] = mapped_column(exact_text(10, ASCII), primary_key=True)
    documents: Mapped[int] = mapped_column(BigInteger)
    seen: Mapped[int] = mapped_column(BigInteger)
