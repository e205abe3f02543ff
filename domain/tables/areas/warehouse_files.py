"""Files of days of visits."""

from datetime import date, datetime

from sqlalchemy import SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import ASCII, MARIADB, Base, Digest, Folded, UTCTime, exact_text


class WarehouseFile(Base):
    """A Parquet file of the sessions, or of the pages, of a day or of a month of days. `name`: its path in the folder;
    `digest`: SHA-256 of its bytes; `version`: of its columns. `replaced_at`: since when nobody opens it; an hour later
    it is deleted."""

    __tablename__ = "warehouse_files"
    __table_args__ = MARIADB

    name: Mapped[str] = mapped_column(Folded, primary_key=True)
    kind: Mapped[str] = mapped_column(exact_text(10, ASCII))
    site: Mapped[int] = mapped_column(SmallInteger)
    first_day: Mapped[date]
    last_day: Mapped[date]
    row_count: Mapped[int]
    digest: Mapped[str] = mapped_column(Digest)
    version: Mapped[int] = mapped_column(SmallInteger)
    written_at: Mapped[datetime] = mapped_column(UTCTime)
    replaced_at: Mapped[datetime | None] = mapped_column(UTCTime)
