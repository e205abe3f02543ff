"""How the site was, every half minute."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime


class HealthSample(Base):
    """What one host process saw. `values`: name -> number; None where it could not be read."""

    __tablename__ = "health_samples"
    __table_args__ = (UniqueConstraint("sampled_at", "process"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sampled_at: Mapped[datetime] = mapped_column(UTCTime)
    # Host name and process id.
    process: Mapped[str] = mapped_column(String(80))
    values: Mapped[dict[str, Any]] = mapped_column(JSON)
