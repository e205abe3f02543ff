"""Pictures that staff send."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, Digest, UTCTime


class Image(Base):
    """A picture that was sent and re-encoded. `sha256`: of its largest rendition, by which its address is made.
    `sizes`: width -> SHA-256 of each rendition, whose contents are rows of `files`."""

    __tablename__ = "images"
    __table_args__ = MARIADB

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sha256: Mapped[str] = mapped_column(Digest, index=True)
    width: Mapped[int]
    height: Mapped[int]
    sizes: Mapped[dict[str, str]] = mapped_column(JSON)
    name: Mapped[str] = mapped_column(String(255))
    alt: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(UTCTime)
    created_by: Mapped[int | None] = mapped_column(BigKey, ForeignKey("learners.id", ondelete="SET NULL"), index=True)
