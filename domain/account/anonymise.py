"""The end of an account: whoever it was cannot be told from our records any more, and what others rely on stays."""

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain import coupons, sessions
from domain.coupons import Place
from domain.errors import InvalidInput
from domain.sessions import Origin
from domain.tables import Cart, CartLine, CouponUse, Learner, LearnerIdentity, Membership, Visit, Wish

WRONG_ADDRESS = "Enter the e-mail address of this account, so that nobody deletes it by mistake."


def forget(session: Session, learner_id: int, confirm: str) -> list[Origin]:
    """Answers where the sign-ins came from that this ends. `confirm`: the account's e-mail address, as it was typed.
    Raises InvalidInput, and then nothing is changed.

    The learner's row stays, blank: orders, certificates and committed uses of coupons hang on it and must be kept. So
    does what a queue may still bring, such as a visit of the last second. Whoever comes again with the same identity
    is somebody new.
    """
    # The row is locked first: no other process adds to what is being removed.
    learner = session.get_one(Learner, learner_id, with_for_update=True)
    if confirm.strip().casefold() != learner.email.casefold():
        raise InvalidInput({"confirm": WRONG_ADDRESS})
    _empty_cart(session, learner_id)
    session.execute(delete(Wish).where(Wish.learner_id == learner_id))
    session.execute(delete(Membership).where(Membership.learner_id == learner_id))
    session.execute(delete(LearnerIdentity).where(LearnerIdentity.learner_id == learner_id))
    _make_anonymous(session, learner_id)
    origins = sessions.end_all(session, learner_id)
    _blank(learner)
    return origins


def _empty_cart(session: Session, learner_id: int) -> None:
    """Lines before coupons, as everybody locks them. What was held for them can be used by others again."""
    session.execute(delete(CartLine).where(CartLine.learner_id == learner_id))
    session.execute(delete(Cart).where(Cart.learner_id == learner_id))
    mine = (CouponUse.learner_id == learner_id, CouponUse.state == "held", CouponUse.order_id == 0)
    held = session.execute(select(CouponUse.coupon_id, CouponUse.product_id).where(*mine).distinct())
    for coupon_id, product_id in sorted((one.coupon_id, one.product_id) for one in held):
        coupons.release(session, coupon_id, Place(learner_id, product_id))


def _make_anonymous(session: Session, learner_id: int) -> None:
    """They still count as visits, but of nobody, from nowhere and of no session."""
    nobody = {"learner_id": None, "claimed_id": None, "session_id": "", "address": ""}
    mine = update(Visit).where(Visit.learner_id == learner_id).values(nobody)
    session.execute(mine, execution_options={"synchronize_session": False})


def _blank(learner: Learner) -> None:
    learner.email = learner.name = ""
    learner.roles = []
    # Unique, and nobody's: no provider has an empty issuer.
    learner.issuer, learner.subject = "", f"gone-{learner.id}"
    learner.student_number = f"gone-{learner.id}"
