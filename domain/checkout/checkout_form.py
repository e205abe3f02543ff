"""All that the checkout's page shows: the form for what was typed so far, and what the order costs by it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from domain.cart.products import CartProduct
from domain.checkout import cart_contents, drafts, form_fields, gift_lines, known_addresses
from domain.checkout import quote as checkout_quote
from domain.checkout.cart_contents import SERVICE
from domain.checkout.differences import Seen
from domain.checkout.drafts import DraftContents
from domain.checkout.form_fields import FormGroup
from domain.checkout.placement import OrderRequest
from domain.checkout.priced import RequestedItem
from domain.checkout.purchase_checks import Refusals, order_refusals, refusals_of
from domain.checkout.quote import NO_DELIVERY_FIELD, CheckoutQuote
from domain.database.prepared_select import PreparedSelect, first_number
from domain.orders.lines import lines_of
from domain.orders.settings import OrderSettings
from domain.shop_settings.shop import ShopSettings
from domain.tables import Learner, Order


@dataclass(frozen=True)
class OpenOrder:
    """The learner's order that is not paid yet. `names`: of its products."""

    code: str
    names: tuple[str, ...]
    total_minor: int
    currency: str
    placed_at: datetime
    reserved_until: datetime | None


@dataclass(frozen=True)
class CheckoutForm:
    """`errors`: by name, of fields in which something wrong was typed; what is still missing is no error yet.
    `warnings`: by name, of what may be wrong and can be ordered all the same.
    `refusals`: product id, or None for all of it -> why it cannot be ordered so. `missing_area`: the label of the field
    without which the tax is not known yet, "" if it is."""

    lines: tuple[RequestedItem, ...]
    products: Mapping[int, CartProduct]
    groups: tuple[FormGroup, ...]
    errors: Mapping[str, str]
    warnings: Mapping[str, str]
    quoted: CheckoutQuote
    refusals: Refusals
    open_order: OpenOrder | None
    missing_area: str


_EMAIL = PreparedSelect(select(Learner.__table__.c.email).where(Learner.id == bindparam("learner")), tuple)
_OPEN_ORDER = PreparedSelect(
    select(Order.__table__.c.id).where(Order.open_learner_id == bindparam("learner")), first_number
)


def read(session: Session, learner_id: int, shop: ShopSettings, settings: OrderSettings, at: datetime) -> CheckoutForm:
    """The form of the learner's cart and draft."""
    draft = drafts.read(session, learner_id, at)
    values = _values(session, learner_id, draft)
    contents = cart_contents.read(session, learner_id, values, shop, at)
    checked = cart_contents.check(contents, values, at)
    wanted = OrderRequest(
        learner_id=learner_id,
        form_key="",
        seen=Seen(),
        lines=contents.lines,
        billing=checked.addresses.billing,
        delivery=checked.addresses.delivery,
        service=values.get(SERVICE),
        coupon_id=contents.coupon_id,
    )
    quoted = checkout_quote.quote(session, wanted, contents.products, shop, at)
    refusals = {
        **order_refusals(quoted.price, email_of(session, learner_id), settings),
        **gift_lines.refusals_of_unpaid(session, learner_id, quoted.price.lines, at),
        **refusals_of(session, learner_id, contents.lines, contents.products, at),
    }
    return CheckoutForm(
        lines=contents.lines,
        products=contents.products,
        groups=cart_contents.groups(contents, values),
        errors=_shown_errors(checked.errors, values, quoted),
        warnings=checked.warnings,
        quoted=quoted,
        refusals=refusals,
        open_order=_open_order(session, learner_id),
        missing_area=form_fields.missing_area(contents.needs, values),
    )


def _values(session: Session, learner_id: int, draft: DraftContents | None) -> Mapping[str, str]:
    """What the form shows as typed."""
    return first_values(session, learner_id) if draft is None else drafts.current_values(session, learner_id, draft)


def first_values(session: Session, learner_id: int) -> Mapping[str, str]:
    """What the form begins with, by name of the field, before anything was typed: the addresses of the last order, else
    the name of the account, and the gifts in the cart."""
    known = known_addresses.read(session, learner_id) or _account_name(session, learner_id)
    return {**known_addresses.of_both(known), **gift_lines.first_values(session, learner_id)}


def _account_name(session: Session, learner_id: int) -> dict[str, str]:
    name = session.scalar(select(Learner.name).where(Learner.id == learner_id))
    return {"billing.name": name} if name else {}


def email_of(session: Session, learner_id: int) -> str:
    """Where the receipt goes, "" for nowhere."""
    [(email,)] = _EMAIL.all(session, learner=learner_id)
    return str(email)


def _shown_errors(errors: Mapping[str, str], values: Mapping[str, str], quoted: CheckoutQuote) -> dict[str, str]:
    shown = {name: text for name, text in errors.items() if values.get(name, "").strip()}
    if quoted.no_delivery:
        shown.setdefault(NO_DELIVERY_FIELD, quoted.no_delivery)
    return shown


def _open_order(session: Session, learner_id: int) -> OpenOrder | None:
    open_ids = _OPEN_ORDER.all(session, learner=learner_id)
    if not open_ids:
        return None
    order = session.get_one(Order, open_ids[0])
    names = tuple(line.name for line in lines_of(session, order.id) if line.kind != "delivery")
    return OpenOrder(order.code, names, order.total_minor, order.currency, order.placed_at, order.reserved_until)
