"""How long visits and figures are kept."""

from dataclasses import dataclass

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
