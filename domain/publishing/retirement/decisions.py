"""What the page of a retired product answers, decided by the staff instead of the rule, or left to it again."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue import redirects
from domain.catalogue.changes import bump_version
from domain.catalogue.retirement_rules import CHOICES, RetirementChoice
from domain.crawlers import page_changes
from domain.errors import InvalidInput, Refused
from domain.publishing.editing.publication import successor_id
from domain.publishing.editing.stored_course import Edit
from domain.publishing.editing.stored_product import StoredProduct, locked_product
from domain.tables import Product


@dataclass(frozen=True)
class RetirementDecision:
    """`successor`: the slug of another published product, "" for none; None: it stays. `reason`: not needed for
    auto."""

    choice: RetirementChoice
    reason: str
    successor: str | None = None


def decide(session: Session, edit: Edit, decision: RetirementDecision) -> None:
    """For `Database.write_as`. Raises NotFound, NewerVersion, InvalidInput without a reason and for a redirect that
    leads nowhere, Refused for what is not retired and for what its page cannot answer."""
    product = locked_product(session, edit.product_id, edit.version, edit.kind).product
    before = _state_of(product)
    if product.status != "retired":
        raise Refused(f"Only the page of a retired {product.kind} has something to decide.")
    if decision.choice not in CHOICES[product.kind]:
        raise Refused(f"A retired {product.kind} has no landing page.")
    if decision.choice != "auto" and not decision.reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    if decision.successor is not None:
        product.successor_id = successor_id(session, product, decision.successor)
    if decision.choice == "redirect" and redirects.successor(session, product) is None:
        raise InvalidInput({"successor": f"Enter the address of a published {product.kind} that takes its place."})
    product.retirement_choice = decision.choice
    product.retirement_reason = "" if decision.choice == "auto" else decision.reason.strip()
    _store(session, edit, product, before)


def _store(session: Session, edit: Edit, product: Product, before: dict[str, Any]) -> None:
    after = _state_of(product)
    if before == after:
        recording.no_change(session)
        return
    # A product without a time of its own gets that of its last change: the time of this change would count as a visit.
    product.retired_at = product.retired_at or product.updated_at
    product.updated_at = edit.actor.at
    product.version += 1
    session.flush()
    page_changes.note_content(session, [product.id], edit.actor.at)
    bump_version(session)
    changed = {name for name in after if before[name] != after[name]} - {"reason"}
    recording.record(
        session,
        f"{product.kind}.decide_page",
        Subject(product.kind, product.id),
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        reason=product.retirement_reason,
    )


def _state_of(product: Product) -> dict[str, Any]:
    return {
        "page": product.retirement_choice,
        "successor_id": product.successor_id,
        "reason": product.retirement_reason,
    }


def stored_decision(_session: Session, stored: StoredProduct) -> dict[str, Any]:
    """As a conflict says it."""
    return {"choice": stored.product.retirement_choice, "reason": stored.product.retirement_reason}
