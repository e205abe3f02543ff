"""Deletes an account: nothing in the database identifies the person any more, and rows that must be kept stay."""

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from domain import reservations, staff
from domain.account import learning, open_purchases
from domain.account.erase_purchases import erase_purchases
from domain.errors import InvalidInput, Refused
from domain.identity import sessions
from domain.identity.sessions import ProviderTokens
from domain.learning import certificates
from domain.learning.reviews import own_data as own_reviews
from domain.orders.settings import Context
from domain.outbox import erase_address
from domain.tables import Cart, CartLine, Learner, LearnerIdentity, Membership, Visit, WishlistEntry
from domain.visits import dead_letters
from domain.visits.visits import ANONYMOUS

WRONG_ADDRESS = "Enter the email address of this account, so that nobody deletes it by mistake."


def anonymise_account(
    session: Session, learner_id: int, confirm: str, context: Context, *, keep_certificates: bool = False
) -> list[ProviderTokens]:
    """Returns the provider's tokens of the sessions that this ends. `confirm`: the account's email address, as typed.
    `keep_certificates`: they stay valid and keep the name; else they are revoked and lose it.
    Raises InvalidInput, or Refused while a purchase is not over and for the last administrator, and then nothing is
    changed.

    The learner's row stays, without personal data: orders, certificates and committed uses of coupons refer to it and
    must be kept, and so may visits that are still in the queue. An open order is cancelled; orders with documents keep
    their email and addresses for as long as the documents. A later sign-in with the same identity creates a new
    learner.
    """
    # The row is locked first, so that no other process adds rows for this learner meanwhile.
    learner = session.get_one(Learner, learner_id, with_for_update=True)
    if confirm.strip().casefold() != learner.email.casefold():
        raise InvalidInput({"confirm": WRONG_ADDRESS})
    if (refusal := open_purchases.first_refusal(session, learner_id)) is not None:
        raise Refused(refusal)
    _empty_cart(session, learner_id, context)
    session.execute(delete(WishlistEntry).where(WishlistEntry.learner_id == learner_id))
    session.execute(delete(Membership).where(Membership.learner_id == learner_id))
    session.execute(delete(LearnerIdentity).where(LearnerIdentity.learner_id == learner_id))
    erase_purchases(session, learner_id)
    learning.erase(session, learner_id)
    open_purchases.erase_unpaid_orders(session, learner_id)
    if not keep_certificates:
        certificates.erase_of_account(session, learner_id, context.at)
    own_reviews.erase(session, learner_id, context.at)
    _make_anonymous(session, learner_id)
    erase_address(session, learner.email)
    tokens = sessions.end_all(session, learner_id)
    _erase_personal_data(learner)
    staff.remove_all(session, learner_id, context.at)
    return tokens


def _empty_cart(session: Session, learner_id: int, context: Context) -> None:
    """Lines are locked before coupons and coupons before carts, as everywhere. What cart and open order have reserved
    becomes available to others."""
    session.execute(delete(CartLine).where(CartLine.learner_id == learner_id))
    open_purchases.cancel_open_order(session, learner_id, context)
    reservations.release_carts_of(session, learner_id)
    session.execute(delete(Cart).where(Cart.learner_id == learner_id))


def _make_anonymous(session: Session, learner_id: int) -> None:
    """Visits are still counted, without learner, session, address and the visit of the link that led to them; so are
    those that could not be stored yet."""
    statement = update(Visit).where(Visit.learner_id == learner_id).values(ANONYMOUS)
    session.execute(statement, execution_options={"synchronize_session": False})
    dead_letters.make_anonymous(session, learner_id)


def _erase_personal_data(learner: Learner) -> None:
    learner.email = learner.name = ""
    # Unique, and no sign-in can match it: no provider has an empty issuer.
    learner.issuer, learner.subject = "", f"gone-{learner.id}"
    learner.student_number = f"gone-{learner.id}"
