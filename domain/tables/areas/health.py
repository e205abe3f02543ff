"""How the site was, every half minute."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from domain.tables.base import MARIADB, Base, BigKey, UTCTime, exact_text


class HealthSample(Base):
    """What one host process saw. `values`: name -> number; None where it could not be read."""

    __tablename__ = "health_samples"
    __table_args__ = (UniqueConstraint("sampled_at", "process"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    sampled_at: Mapped[datetime] = mapped_column(UTCTime)
    # Host name and process id.
    process: Mapped[str] = mapped_column(String(80))
    values: Mapped[dict[str, Any]] = mapped_column(JSON)


class Upkeep(Base):
    """When something that keeps the shop safe was last done (domain/health/upkeep.py). `name`: "backup", whose row
    scripts/backup writes, "restore", or "key." and the setting of a secret. `facts`: `bytes` of a copy; `salt` and
    `digest` of a secret."""

    __tablename__ = "upkeep"
    __table_args__ = (UniqueConstraint("name"), MARIADB)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    name: Mapped[str] = mapped_column(exact_text(80))
    at: Mapped[datetime] = mapped_column(UTCTime)
    facts: Mapped[dict[str, Any]] = mapped_column(JSON)
