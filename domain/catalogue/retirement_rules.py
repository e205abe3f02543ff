"""What the page of a retired product answers, until when, and what is proposed to the staff."""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from domain.display_text import count_text, day_text

# A page without visits for this long has lost its rank in search engines (SEO contract: 12 months).
QUIET_PERIOD = timedelta(days=365)

# landing: shown and in the sitemap. unlisted: shown, not in the sitemap. redirect: 301 to its successor. gone: 410.
RetirementStatus = Literal["landing", "unlisted", "redirect", "gone"]
# auto: by the rule. The others: decided by the staff.
RetirementChoice = Literal["auto", "landing", "redirect", "gone"]
Answer = Literal["landing", "redirect", "gone"]
CHOICES: dict[str, tuple[RetirementChoice, ...]] = {
    "course": ("auto", "landing", "redirect", "gone"),
    # An item has no landing page.
    "item": ("auto", "redirect", "gone"),
}


class RetiredPage(NamedTuple):
    """`last_active_at`: the last visit of a person since the retirement, else the retirement. `has_successor`: one that
    is on sale."""

    kind: str
    choice: RetirementChoice
    last_active_at: datetime
    has_successor: bool

    @property
    def quiet_from(self) -> datetime:
        return self.last_active_at + QUIET_PERIOD


class NextStatus(NamedTuple):
    at: datetime
    status: RetirementStatus


class Proposal(NamedTuple):
    """`reason`: in words, for the record."""

    choice: Answer
    reason: str


def retirement_status(page: RetiredPage, at: datetime) -> RetirementStatus:
    """What the page answers at a time."""
    if page.choice == "gone" or (page.choice == "landing" and page.kind == "course"):
        return page.choice
    if page.has_successor and (page.choice == "redirect" or page.kind == "item"):
        return "redirect"
    if page.kind == "item":
        return "gone"
    if at < page.quiet_from:
        # Whoever decided to redirect wanted no such page in search engines; without a successor it is still shown.
        return "landing" if page.choice == "auto" else "unlisted"
    return "unlisted" if page.has_successor else "gone"


def next_status(page: RetiredPage, at: datetime) -> NextStatus | None:
    """When the answer changes by itself if nobody visits the page any more; None: it does not."""
    quiet_from = page.quiet_from
    if at >= quiet_from:
        return None
    later = retirement_status(page, quiet_from)
    return None if later == retirement_status(page, at) else NextStatus(quiet_from, later)


def proposal(page: RetiredPage, visits: int, successor: str, at: datetime) -> Proposal:
    """The answer that suits the page best. `visits` of people in the last 12 months; `successor`: its name."""
    if page.kind == "item":
        if page.has_successor:
            return Proposal("redirect", f"{successor} takes its place, and an item has no landing page.")
        return Proposal("gone", "Nothing takes its place, and an item has no landing page.")
    last_use = f"Its page was last in use on {day_text(page.last_active_at)}"
    if at < page.quiet_from:
        recent = f"{last_use}: search engines may still know it."
        return Proposal(
            "landing", f"In the last 12 months people opened its page {_times(visits)}." if visits else recent
        )
    if page.has_successor:
        return Proposal("redirect", f"{last_use}, more than 12 months ago, and {successor} takes its place.")
    return Proposal("gone", f"{last_use}, more than 12 months ago, and nothing takes its place.")


def _times(visits: int) -> str:
    return "once" if visits == 1 else f"{count_text(visits)} times"
