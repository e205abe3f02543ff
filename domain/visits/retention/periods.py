"""How long visits and figures are kept."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from domain.visits.raw.local_days import DayRules

# What people typed is kept no longer, also where visits are kept for ever.
SEARCHES_DAYS = 90


@dataclass(frozen=True)
class Periods:
    """Days; 0: for ever. `touchpoints`: with the learners and the hours of days. Paths of orders and their credits stay
    (docs/decisions/0141)."""

    visits: int = 90
    touchpoints: int = 400

    @property
    def searches(self) -> int:
        return self.visits or SEARCHES_DAYS

    @property
    def of_open_days(self) -> int:
        """After so long a day is final: what is deleted first is not computed again."""
        return min(filter(None, (self.visits, self.touchpoints)), default=0)

    def first_day_of_files(self, rules: DayRules, at: datetime) -> date | None:
        """Files of earlier days are deleted; None: no files are."""
        return rules.day_of(at - timedelta(days=self.touchpoints)) if self.touchpoints else None
