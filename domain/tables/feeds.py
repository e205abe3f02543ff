"""What programs have been told of the products: which line of the product feed changed when."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, UTCTime


class FeedProduct(Base):
    """A product that the feed has, or had: then `digest`, of its line, is "". `number`: that of the feed when this was
    last noticed to have changed, at `changed_at`. No foreign key: what is removed is remembered."""

    __tablename__ = "feed_products"
    __table_args__ = MARIADB

    product_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    digest: Mapped[str] = mapped_column(Digest)
    number: Mapped[int] = mapped_column(BigInteger, index=True)
    changed_at: Mapped[datetime] = mapped_column(UTCTime, index=True)


class FeedState(Base):
    """One row, which is locked to write the others. `number` grows with every change of the feed; `version`, `as_of`:
    the catalogue and the time that its products were read at."""

    __tablename__ = "feed_state"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger, default=0)
    version: Mapped[int] = mapped_column(BigInteger, default=0)
    as_of: Mapped[datetime] = mapped_column(UTCTime)
