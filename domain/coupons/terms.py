"""The terms of an offer, from a coupon or a contract: when, by whom and how often it may be used."""

from dataclasses import dataclass
from datetime import datetime

from domain.pricing.offers import Offer


@dataclass(frozen=True)
class Terms:
    """`id` None: not a coupon. `uses`: committed uses and active reservations. A limit of None: no limit."""

    offer: Offer
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    state: str = "active"
    organisation_id: int | None = None
    total_limit: int | None = None
    learner_limit: int | None = None
    uses: int = 0
    id: int | None = None

    @property
    def name(self) -> str:
        return self.offer.name
