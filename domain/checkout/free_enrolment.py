"""Enrolling in a free course: an order over nothing, placed and settled by one press, without a form."""

import secrets
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart.products import products
from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.differences import Seen
from domain.checkout.placement import OrderRequest
from domain.checkout.priced import RequestedItem
from domain.checkout.purchase_checks import line_refusals
from domain.errors import Refused
from domain.learning import grants
from domain.orders.locks import lock_buyer
from domain.orders.settings import Context
from domain.shop_settings.shop import ShopSettings
from domain.tables import Product

NO_COURSE = "There is no such course."
NOT_FREE = "This course is not free any more. Load the page again to see its price."


@dataclass(frozen=True)
class Enrolled:
    """`slug`: of the course. `is_new` False: the learner had it already."""

    slug: str
    is_new: bool


def enrol(session: Session, learner_id: int, course_id: int, shop: ShopSettings, context: Context) -> Enrolled:
    """Open a free course to a learner, in a transaction that begins here. An order that waits for its payment, and the
    cart's other lines, stay as they are. Raises Refused for what is no course, what costs something, and what this
    learner cannot have."""
    learner = lock_buyer(session, learner_id)
    slug = session.scalar(select(Product.slug).where(Product.id == course_id, Product.kind == "course"))
    if slug is None:
        raise Refused(NO_COURSE)
    if course_id in grants.owned_ids(session, learner_id, [course_id], context.at):
        return Enrolled(slug, is_new=False)
    wanted = OrderRequest(
        learner_id=learner_id,
        form_key=f"enrol-{secrets.token_hex(12)}",
        seen=Seen(),
        lines=(RequestedItem(course_id),),
        # Nothing is taxed or sent: the shop's country stands for an address that nobody is asked for.
        billing={"country": shop.country},
        products=products(session, [course_id], learner_id),
    )
    for message in line_refusals(session, learner_id, wanted.lines, context.at, wanted.products).values():
        raise Refused(message)
    priced = checkout_quote.price(session, wanted, shop, context.at)
    if priced.total_minor:
        raise Refused(NOT_FREE)
    placement.place_free(session, learner, wanted, priced, context)
    return Enrolled(slug, is_new=True)
