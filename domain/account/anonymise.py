"""Deletes an account: nothing in the database identifies the person any more, and rows that must be kept stay."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from domain import contact
from domain.account import learning, open_purchases, organisations
from domain.account.erase_purchases import erase_purchases
from domain.audit import recording
from domain.errors import InvalidInput, Refused
from domain.identity import sessions
from domain.identity.sessions import ProviderTokens
from domain.learning.certificates import revoking
from domain.learning.reviews import own_data as own_reviews
from domain.orders.settings import Context
from domain.outbox.outbox_rows import erase_address
from domain.permissions import SystemActor
from domain.quotes import own_quotes
from domain.reports import sale_storage
from domain.reports.attribution import erasure as path_erasure
from domain.reports.saved_views import views as saved_views
from domain.reservations import carts as reservation_carts
from domain.seats import own_data as own_seats
from domain.staff import roles as staff_roles
from domain.tables import Cart, CartLine, Learner, LearnerIdentity, WishlistEntry
from domain.visits import erasure

WRONG_ADDRESS = "Enter the email address of this account, so that nobody deletes it by mistake."


def anonymise_account(  # noqa: PLR0913 whose, how it is confirmed, and how
    session: Session,
    learner_id: int,
    confirm: str,
    context: Context,
    *,
    keep_certificates: bool = False,
    is_by_staff: bool = False,
) -> list[ProviderTokens]:
    """Returns the provider's tokens of the sessions that this ends. `confirm`: the account's email address, as typed.
    `keep_certificates`: they stay valid and keep the name; else they are revoked and lose it. `is_by_staff`: messages
    from its address and invitations to it are erased although the provider never said that it is theirs.
    Raises InvalidInput, or Refused while a purchase is not over, for the last administrator, and for the last owner of
    an organisation with other people unless staff do it, and then nothing is changed.

    The learner's row stays, without personal data: orders, certificates and committed uses of coupons refer to it and
    must be kept, and visits that are still on their way, in Redis or in a spool, are known by it when they are stored
    (domain/visits/erased.py). An open order is cancelled; orders with documents keep their email and addresses for as
    long as the documents. A later sign-in with the same identity creates a new learner.
    """
    # The row is locked first, so that no other process adds rows for this learner meanwhile.
    learner = session.get_one(Learner, learner_id, with_for_update=True)
    require_address(learner, confirm)
    if (refusal := open_purchases.first_refusal(session, learner_id)) is not None:
        raise Refused(refusal)
    if not is_by_staff and (refusal := organisations.first_refusal(session, learner_id)) is not None:
        raise Refused(refusal)
    # Anybody can sign up with another's address: deleting that account must not delete what is the other's.
    own_address = learner.email if learner.email_verified or is_by_staff else ""
    _empty_cart(session, learner_id, context)
    session.execute(delete(WishlistEntry).where(WishlistEntry.learner_id == learner_id))
    left = organisations.erase(session, learner_id, own_address, context.at)
    session.execute(delete(LearnerIdentity).where(LearnerIdentity.learner_id == learner_id))
    own_seats.erase(session, learner_id, context.at)
    erase_purchases(session, learner_id)
    own_quotes.erase(session, learner_id, context.at)
    learning.erase(session, learner_id)
    open_purchases.erase_unpaid_orders(session, learner_id)
    if not keep_certificates:
        revoking.erase_of_account(session, learner_id, context.at)
    own_reviews.erase(session, learner_id, context.at)
    saved_views.erase(session, learner_id, learner.student_number)
    path_erasure.erase(session, learner, context.at)
    erasure.erase_traces(session, learner, context.at)
    sale_storage.erase_number(session, learner.id, learner.student_number, context.at)
    if own_address:
        contact.erase_messages(session, own_address)
    erase_address(session, learner.email)
    tokens = sessions.end_all(session, learner_id)
    _erase_personal_data(learner)
    staff_roles.remove_all(session, learner_id, context.at)
    recording.append(session, SystemActor("system", context.at), left)
    return tokens


def require_address(learner: Learner, confirm: str) -> None:
    """Raises InvalidInput when another address was typed."""
    if confirm.strip().casefold() != learner.email.casefold():
        raise InvalidInput({"confirm": WRONG_ADDRESS})


def _empty_cart(session: Session, learner_id: int, context: Context) -> None:
    """Lines are locked before coupons and coupons before carts, as everywhere. What cart and open order have reserved
    becomes available to others."""
    session.execute(delete(CartLine).where(CartLine.learner_id == learner_id))
    open_purchases.cancel_open_order(session, learner_id, context)
    reservation_carts.release_carts_of(session, learner_id)
    session.execute(delete(Cart).where(Cart.learner_id == learner_id))


def _erase_personal_data(learner: Learner) -> None:
    learner.email = learner.name = ""
    learner.email_verified = False
    # Unique, and no sign-in can match it: no provider has an empty issuer.
    learner.issuer, learner.subject = "", f"gone-{learner.id}"
    learner.student_number = f"gone-{learner.id}"
