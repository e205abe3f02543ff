"""Organisations with partner links to the shop."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.organisations import access
from domain.tables import Organisation


@dataclass(frozen=True)
class Partner:
    """An approved organisation; `is_restricted`: visitors of its links see only the products of its contracts."""

    slug: str
    logo: str
    is_restricted: bool


def find(session: Session, slug: str, at: datetime) -> Partner | None:
    """None for an organisation that is unknown or not approved."""
    query = select(Organisation.logo).where(Organisation.slug == slug, Organisation.state == "approved")
    logo = session.scalar(query)
    if logo is None:
        return None
    return Partner(slug, logo, access.access_of_partner(session, slug, at).is_restricted)
