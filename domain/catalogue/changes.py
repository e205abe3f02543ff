"""The catalogue's version: every change that pages show increments it, so that caches notice."""

from sqlalchemy import update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.tables import CatalogueVersion


def bump_version(session: Session, row: int = CatalogueVersion.EDITS) -> None:
    """Increment the catalogue's version, in the transaction of the change."""
    increment = update(CatalogueVersion).where(CatalogueVersion.id == row).values(number=CatalogueVersion.number + 1)
    if session.connection().execute(increment).rowcount == 0:
        insert_ignoring(session, CatalogueVersion, [{"id": row, "number": 0}])
        session.connection().execute(increment)
