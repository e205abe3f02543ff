"""The prices of the rows of a bulk change: what a rule makes of each, setting that, and giving the former one back.

A preview stores what each row costs before and after. The job sets exactly that, and refuses a product whose price is
another by then, so that two changes of the same products never add up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeGuard

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.display_text import moment_text
from domain.errors import DomainError, InvalidInput, Refused
from domain.money import Currency
from domain.permissions import Actor
from domain.publishing import lowest_prices, prices
from domain.publishing.bulk import price_rules
from domain.publishing.bulk.operations import OPERATIONS, locked_change, require, require_purpose
from domain.publishing.bulk.price_rules import PriceRule, rule_of
from domain.publishing.editing import price_history
from domain.publishing.editing.price_history import NewPrice
from domain.publishing.prices import PricePlan
from domain.tables import BulkChange, BulkChangeRow, PriceChange, Product

PRICE_CHANGED_SINCE = "Somebody has changed its price since."
PREVIEWED_BEFORE = "Its price has changed since the preview."
OTHER_PREVIEW = "Somebody has made another preview since. Look at it first."
ROWS_OF_PREVIEW = 250
NO_REDUCTION = "Not below the lowest price of the last 30 days: no reduction to announce."
Json = dict[str, Any]
_COLUMNS = (Product.id, Product.kind, Product.list_price, Product.sale_price, Product.sale_from, Product.sale_until)


@dataclass(frozen=True)
class Preview:
    """`number`: of the previews of one change."""

    number: int
    currency: Currency


def begin_preview(session: Session, actor: Actor, change_id: int, rule: PriceRule) -> Preview:
    """Store the rule instead of any former one, for `preview_rows`. No price changes. For `Database.write_as`. Raises
    NotFound, MissingPermission, InvalidInput, Refused for a change that has begun."""
    change = _open_change(session, actor, change_id)
    price_rules.require_complete(rule, actor.at)
    number = int((change.pricing or {}).get("number", 0)) + 1
    change.pricing = {**rule.as_json(), "name": price_rules.in_words(rule), "number": number, "is_whole": False}
    recording.no_change(session)
    return Preview(number, rule.currency)


def preview_rows(session: Session, actor: Actor, change_id: int, preview: Preview, after: int) -> int | None:
    """Store what the rule makes of the next rows, those whose products have larger ids than `after`; the last of these,
    or None once all are done and the preview is whole. Few at a time: on MariaDB the event loop waits for it. Raises
    NotFound, MissingPermission, Refused once there is a newer preview or the change has begun."""
    change = _open_change(session, actor, change_id)
    if change.pricing is None or change.pricing["number"] != preview.number:
        raise Refused(OTHER_PREVIEW)
    recording.no_change(session)
    following = (BulkChangeRow.bulk_change_id == change_id, BulkChangeRow.product_id > after)
    query = select(BulkChangeRow.product_id).where(*following).order_by(BulkChangeRow.product_id)
    ids = session.scalars(query.limit(ROWS_OF_PREVIEW)).all()
    if not ids:
        change.pricing = {**change.pricing, "is_whole": True}
        return None
    rows = _previewed_rows(session, ids, rule_of(change.pricing, preview.currency), actor.at)
    session.execute(
        delete(BulkChangeRow).where(BulkChangeRow.bulk_change_id == change_id, BulkChangeRow.product_id.in_(ids))
    )
    session.execute(insert(BulkChangeRow), [{"bulk_change_id": change_id, **row} for row in rows])
    return ids[-1]


def has_preview(pricing: Mapping[str, Any] | None) -> TypeGuard[Mapping[str, Any]]:
    """Whether every row has been previewed by this rule."""
    return pricing is not None and bool(pricing["is_whole"])


def _open_change(session: Session, actor: Actor, change_id: int) -> BulkChange:
    """Raises NotFound, MissingPermission, and Refused for a change of something else, or that has begun."""
    change = locked_change(session, change_id)
    require(actor, OPERATIONS["price"].permission)
    require_purpose(change, "price")
    if change.action is not None:
        raise Refused("This change has begun already. Choose the rows again for another.")
    return change


def set_previewed(
    session: Session, actor: Actor, product: Product, rule: PriceRule, previewed: Mapping[str, Any]
) -> Json:
    """Set the previewed price of a locked product; what giving the former one back needs to know. Raises Refused for
    another price than at the preview."""
    currency = rule.currency
    if _stored(product, currency) != previewed["before"]:
        raise Refused(PREVIEWED_BEFORE)
    other = _planned_row(session, product, actor.at)
    _require_nothing_planned(product, None if other is None else other.starts_at, actor.at)
    list_price, sale_price = Decimal(previewed["after"]["list"]), previewed["after"]["sale"]
    if rule.change in price_rules.SALES:
        new = NewPrice(list_price, Decimal(sale_price), rule.starts_at, rule.ends_at, rule.reason)
    else:
        # A sale that ran at the preview may have ended by itself.
        sale = None if sale_price is None else prices.unended_sale(product, actor.at)
        new = NewPrice(list_price, sale, None, None, rule.reason, keeps_window=True)
    price_history.set_price(session, actor, product, new, currency)
    now, planned = _stored(product, currency), _planned_row(session, product, actor.at)
    return {
        **previewed,
        "now": now,
        "begun": now if planned is None or planned.applied_at is not None else _running_sale(planned, currency),
        "planned": planned and planned.id,
        "newest": _newest(session, product),
    }


def put_back(session: Session, actor: Actor, product: Product, changed: Mapping[str, Any], currency: Currency) -> bool:
    """Give a locked product the price that it had before `set_previewed`, or withdraw the planned one; whether that
    changed anything. Raises Refused once somebody else has changed the price, or planned one."""
    planned = None if changed["planned"] is None else session.get(PriceChange, changed["planned"])
    if planned is not None and planned.applied_at is None and planned.starts_at <= actor.at:
        # Its time has come, and the task that writes planned prices has not.
        prices.apply_planned(session, planned.id, actor.at)
    now = _stored(product, currency)
    if _newest(session, product) != changed["newest"] or now not in (changed["now"], changed["begun"]):
        raise Refused(PRICE_CHANGED_SINCE)
    if planned is not None and planned.starts_at > actor.at:
        price_history.withdraw(session, actor, planned.id)
        return True
    before, list_price = changed["before"], Decimal(changed["before"]["list"])
    until = _time(before["until"])
    if before["sale"] is None or (until is not None and until <= actor.at):
        new = NewPrice(list_price, None, None, None)
    else:
        has_window = before["from"] is not None or until is not None
        new = NewPrice(list_price, Decimal(before["sale"]), None, until, keeps_window=not has_window)
    price_history.set_price(session, actor, product, new, currency)
    return _stored(product, currency) != now


def _previewed_rows(session: Session, ids: Sequence[int], rule: PriceRule, at: datetime) -> list[Json]:
    products = session.execute(select(*_COLUMNS).where(Product.id.in_(ids)).order_by(Product.id)).all()
    plans = select(PriceChange.product_id, func.min(PriceChange.starts_at)).group_by(PriceChange.product_id)
    planned = dict(session.execute(plans.where(PriceChange.product_id.in_(ids), PriceChange.starts_at > at)).all())
    lowest = lowest_prices.recent(session, ids, at)
    return [
        {
            "product_id": product.id,
            **_preview_of(product, rule, planned.get(product.id), lowest[product.id], at),
        }
        for product in products
    ]


def _preview_of(product: Any, rule: PriceRule, planned: datetime | None, lowest: Decimal | None, at: datetime) -> Json:
    currency = rule.currency
    before, sale = _stored(product, currency), prices.unended_sale(product, at)
    about = {"before": before, "lowest": _amount_text(lowest, currency)}
    try:
        _require_nothing_planned(product, planned, at)
        wanted = price_rules.new_prices(rule, product.list_price, sale)
        list_price, sale_price = prices.valid_prices(product.kind, wanted, _plan(rule), at, currency)
    except DomainError as error:
        note = " ".join(error.errors.values()) if isinstance(error, InvalidInput) else str(error)
        return {"state": "refused", "note": note, "prices": {**about, "after": None}}
    after = {"list": _amount_text(list_price, currency), "sale": _amount_text(sale_price, currency)}
    is_same = (after["list"], after["sale"]) == (before["list"], _amount_text(sale, currency))
    if rule.change in price_rules.SALES:
        is_same = is_same and rule.starts_at is None and rule.ends_at == product.sale_until
    note = ""
    if not is_same and rule.change in price_rules.SALES and lowest is not None and wanted[1] is not None:
        note = NO_REDUCTION if wanted[1] >= lowest else ""
    return {"state": "unchanged" if is_same else "chosen", "note": note, "prices": {**about, "after": after}}


def _require_nothing_planned(product: Any, planned: datetime | None, at: datetime) -> None:
    """Raises Refused for a product whose price changes by itself later on: that would end what is set now."""
    if planned is None and product.sale_price is not None and product.sale_from is not None and product.sale_from > at:
        planned = product.sale_from
    if planned is not None:
        raise Refused(f"Another price is planned for it, from {moment_text(planned)} on. Withdraw that first.")


def _plan(rule: PriceRule) -> PricePlan:
    return PricePlan(rule.starts_at, rule.ends_at) if rule.change in price_rules.SALES else prices.AT_ONCE


def _planned_row(session: Session, product: Product, at: datetime) -> PriceChange | None:
    """The first of those that are to come."""
    later = select(PriceChange).where(PriceChange.product_id == product.id, PriceChange.starts_at > at)
    return session.scalars(later.order_by(PriceChange.starts_at, PriceChange.id).limit(1)).first()


def _newest(session: Session, product: Product) -> int | None:
    return session.scalar(select(func.max(PriceChange.id)).where(PriceChange.product_id == product.id))


def _stored(product: Any, currency: Currency) -> Json:
    """The columns of the price, in a form to compare and to keep as JSON."""
    return {
        "list": _amount_text(product.list_price, currency),
        "sale": _amount_text(product.sale_price, currency),
        "from": _time_text(product.sale_from),
        "until": _time_text(product.sale_until),
    }


def _running_sale(row: PriceChange, currency: Currency) -> Json:
    """The columns once the planned price has begun."""
    return {
        "list": money.to_text(row.list_price, currency),
        "sale": _amount_text(row.sale_price, currency),
        "from": _time_text(row.starts_at),
        "until": _time_text(row.ends_at),
    }


# The prices of many products are few.
@lru_cache(4_096)
def _amount_text(amount: Decimal | None, currency: Currency) -> str | None:
    return None if amount is None else money.to_text(amount, currency)


def _time_text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
