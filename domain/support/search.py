"""The search of the admin area: what staff name by a number, code, address or name, a few of each kind.

The rules are those of the lists' own searches, but each kind is at most two statements that an index answers, or that
read MAX_READ rows: the lists find what is beyond them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session

from domain.coupons.queries import normalised
from domain.orders.fulfilment import VOUCHER_LENGTH
from domain.orders.views.staff_list import CODE_LENGTH
from domain.permissions import Permission
from domain.readable_codes import ALPHABET
from domain.support.learners import finding
from domain.support.learners.finding import LearnerHit
from domain.tables import Coupon, Order, OrderLine, Organisation, Product, VoucherCode
from domain.tables.areas.person_keys import email_key, number_key
from domain.typed_codes import plain_code

MAX_HITS = 5
MAX_TEXT = 254
# Fewer letters would find half of the shop.
MIN_TEXT = 2
# Least characters of an order's code, which is too long to type whole.
MIN_CODE = 6
# Rows of the newest products and organisations that are looked through for a part of a name.
MAX_READ = 10_000
_orders, _products = Order.__table__.c, Product.__table__.c
_coupons, _organisations = Coupon.__table__.c, Organisation.__table__.c


class OrderHit(NamedTuple):
    """`total`, `refunded`: in minor units."""

    code: str
    state: str
    placed_at: Any
    total: int
    refunded: int


class ProductHit(NamedTuple):
    id: int
    kind: str
    name: str
    slug: str
    status: str


class CouponHit(NamedTuple):
    id: int
    code: str
    state: str
    campaign: str


class OrganisationHit(NamedTuple):
    id: int
    name: str
    slug: str
    state: str


@dataclass(frozen=True)
class Hits:
    """`is_more`: there are more than MAX_HITS, of which these are the first."""

    rows: list[Any]
    is_more: bool


def find(session: Session, text: str, permissions: Collection[Permission]) -> dict[str, Hits]:
    """What is found of each kind that somebody with these permissions may see; a kind without any is left out."""
    wanted = " ".join(text.split())[:MAX_TEXT]
    if len(wanted) < MIN_TEXT:
        return {}
    found = {kind: search(session, wanted) for kind, (need, search) in KINDS.items() if need in permissions}
    return {kind: hits for kind, hits in found.items() if hits.rows}


def _orders_of(session: Session, text: str) -> Hits:
    """By the beginning of its code, one of its voucher codes, or the whole email address that it was confirmed to; if
    that finds none, by its whole purchase order number."""
    condition = _order_condition(text)
    found = Hits([], is_more=False) if condition is None else _read_orders(session, condition)
    return found if found.rows else _read_orders(session, _orders.purchase_order_key == number_key(text))


def _order_condition(text: str) -> ColumnElement[bool] | None:
    """None: the text has not the form of anything that orders are found by but a purchase order number."""
    code = plain_code(text).upper()
    if "@" in code:
        return _orders.email_key == email_key(code)
    if len(code) == VOUCHER_LENGTH and {*code} <= {*ALPHABET}:
        return or_((_orders.code >= code) & (_orders.code <= f"{code}~"), _orders.id.in_(_with_voucher(code)))
    if MIN_CODE <= len(code) <= CODE_LENGTH and {*code} <= {*ALPHABET}:
        # A range, because a database uses an index for LIKE in some collations alone.
        return (_orders.code >= code) & (_orders.code <= f"{code}~")
    return _orders.code == code if len(code) == CODE_LENGTH and code.isascii() else None


def _read_orders(session: Session, condition: ColumnElement[bool]) -> Hits:
    columns = (_orders.code, _orders.state, _orders.placed_at, _orders.total_minor, _orders.refunded_minor)
    return _read(session, select(*columns).where(condition).order_by(_orders.id.desc()), OrderHit._make)


def _with_voucher(code: str) -> Select[Any]:
    columns = select(OrderLine.order_id).join(VoucherCode, VoucherCode.line_id == OrderLine.id)
    return columns.where(VoucherCode.code == code)


def _learners_of(session: Session, text: str) -> Hits:
    """As the page of learners finds them."""
    rows, is_more = finding.find(session, text)
    return Hits([LearnerHit._make(row) for row in rows[:MAX_HITS]], is_more or len(rows) > MAX_HITS)


def _products_of(session: Session, text: str) -> Hits:
    """Courses and items by a part of their name, or the beginning of their address."""
    columns = (_products.id, _products.kind, _products.name, _products.slug, _products.status)
    newest = select(*columns).order_by(_products.id.desc()).limit(MAX_READ).subquery().c
    slug = text.casefold().replace(" ", "-")
    is_named = or_(newest.name.icontains(text, autoescape=True), newest.slug.startswith(slug, autoescape=True))
    return _read(session, select(*newest).where(is_named).order_by(newest.id.desc()), ProductHit._make)


def _coupons_of(session: Session, text: str) -> Hits:
    """By the beginning of its code."""
    code = normalised(text)
    columns = (_coupons.id, _coupons.display_code, _coupons.state, _coupons.campaign)
    is_named = (_coupons.code >= code) & (_coupons.code <= f"{code}\uffff")
    return _read(session, select(*columns).where(is_named).order_by(_coupons.code), CouponHit._make)


def _organisations_of(session: Session, text: str) -> Hits:
    """By a part of its name, or its short name."""
    columns = (_organisations.id, _organisations.name, _organisations.slug, _organisations.state)
    newest = select(*columns).order_by(_organisations.id.desc()).limit(MAX_READ).subquery().c
    is_named = or_(newest.name.icontains(text, autoescape=True), newest.slug == text.casefold())
    return _read(session, select(*newest).where(is_named).order_by(newest.name, newest.id), OrganisationHit._make)


def _read(session: Session, query: Select[Any], make: Callable[[Any], Any]) -> Hits:
    rows = [make(row) for row in session.execute(query.limit(MAX_HITS + 1))]
    return Hits(rows[:MAX_HITS], len(rows) > MAX_HITS)


# In the order in which they are shown; each with the permission that its list requires.
KINDS: Mapping[str, tuple[Permission, Callable[[Session, str], Hits]]] = {
    "orders": (Permission.ORDERS_READ, _orders_of),
    "learners": (Permission.LEARNERS_READ, _learners_of),
    "products": (Permission.CATALOGUE_READ, _products_of),
    "coupons": (Permission.COUPONS_READ, _coupons_of),
    "organisations": (Permission.ORGANISATIONS_READ, _organisations_of),
}
