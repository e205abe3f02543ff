"""The validator: a table of rules, each answering None or why not and what would help.

What would tell a guesser that a code exists (over, paused, used up, somebody else's) has one text, that of an unknown
code; what only its rightful user can run into says how to mend it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain import pricing
from domain.coupons.terms import Terms
from domain.pricing import Line
from domain.pricing.rules import Reason

UNUSABLE = Reason(
    "unusable", "This code cannot be used. Check its spelling, or ask whoever gave it to you for a new one."
)


@dataclass(frozen=True)
class Asking:
    """Who asks for what, when. `line` None: for the whole cart. `lines` None: only whether the code may be used at all.

    `learner_uses`: how often the learner used it elsewhere; `has_hold`: this very use is held already.
    """

    at: datetime
    lines: Sequence[Line] | None = None
    line: Line | None = None
    organisations: frozenset[int] = frozenset()
    learner_uses: int = 0
    has_hold: bool = False


Rule = Callable[[Terms, Asking], Reason | None]


def is_active(terms: Terms, _asking: Asking) -> Reason | None:
    return None if terms.state == "active" else UNUSABLE


def is_running(terms: Terms, asking: Asking) -> Reason | None:
    has_begun = terms.starts_at is None or terms.starts_at <= asking.at
    is_over = terms.ends_at is not None and terms.ends_at <= asking.at
    return None if has_begun and not is_over else UNUSABLE


def is_theirs(terms: Terms, asking: Asking) -> Reason | None:
    return None if terms.organisation_id in (None, *asking.organisations) else UNUSABLE


def is_left(terms: Terms, asking: Asking) -> Reason | None:
    if asking.has_hold or terms.total_limit is None or terms.uses < terms.total_limit:
        return None
    return UNUSABLE


def is_left_for_learner(terms: Terms, asking: Asking) -> Reason | None:
    if asking.has_hold or terms.learner_limit is None or asking.learner_uses < terms.learner_limit:
        return None
    return learner_limit_reached(terms)


def learner_limit_reached(terms: Terms) -> Reason:
    times = "once" if terms.learner_limit == 1 else f"{terms.learner_limit} times"
    text = f"You can use {terms.name} {times}, and you have. Take it off another line to use it here."
    return Reason("learner-limit", text)


def suits_cart(terms: Terms, asking: Asking) -> Reason | None:
    """What the offer covers and its minimum: the rules that the engine itself holds every quote to."""
    return None if asking.lines is None else pricing.refusal_of(terms.offer, asking.line, asking.lines)


RULES: tuple[Rule, ...] = (is_active, is_running, is_theirs, is_left, is_left_for_learner, suits_cart)


def refusal_of(terms: Terms | None, asking: Asking) -> Reason | None:
    """The first rule that says no; an unknown code has no terms at all."""
    if terms is None:
        return UNUSABLE
    return next((reason for rule in RULES if (reason := rule(terms, asking)) is not None), None)
