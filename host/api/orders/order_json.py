"""Orders as the JSON of host/api/orders/order_schemas.py: the fields of their views, with addresses of pages."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from domain.learning.addresses import next_href
from domain.orders.refunds.refundable import RefundOffer
from domain.orders.transfers import TransferView
from domain.orders.views.listing import OrderPage
from domain.orders.views.records import DocumentView, LineView, OrderView, ProductRef, StatusView
from host.api.orders.order_schemas import Order, OrderList, OrderStatus
from host.urls import href_of

# States of orders that one can withdraw from.
IN_FORCE = ("placed", "processing", "paid")
# Milliseconds until the next question, by how often it was asked before; two minutes in all.
WAITS_MS = (1_000, 2_000, 4_000, 8_000, *(15_000,) * 7)


def order_schema(view: OrderView, payment_key: str, refund_key: str, *, has_withdrawal: bool) -> Order:
    """With the keys of its forms. `has_withdrawal`: the shop is in the Union."""
    values = _camel_case(view)
    values |= {
        "paymentKey": payment_key,
        "lines": [_line(view.code, line) for line in view.lines],
        "documents": [_document(view.code, document) for document in view.documents],
        "documentNote": _name_note(view),
        "withdrawHref": f"/withdraw?order={view.code}" if has_withdrawal and view.state in IN_FORCE else None,
        "transfer": None if view.transfer is None else _transfer(view.transfer),
        "refundForm": None if view.refund_offer is None else _refund_form(view.refund_offer, refund_key),
    }
    return Order.model_validate(values)


def _name_note(view: OrderView) -> str:
    # The PDF library takes 8 MB and a tenth of a second, which no start waits for.
    from host.documents.texts import name_note

    return name_note(view.billing, len(view.documents))


def _transfer(transfer: TransferView) -> Mapping[str, Any]:
    return {
        **_camel_case(transfer),
        "account": [{"label": label, "text": text} for label, text in transfer.account],
        "code": None if transfer.code is None else payment_code(transfer.code),
    }


def payment_code(text: str) -> Mapping[str, Any]:
    """The code as a drawing. The error correction is the one that banks ask for."""
    # Most orders have no code.
    import segno

    rows = segno.make_qr(text, error="m").matrix
    squares = ((x, y) for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return {"size": len(rows), "path": "".join(f"M{x} {y}h1v1h-1z" for x, y in squares)}


def _refund_form(offer: RefundOffer, key: str) -> Mapping[str, Any]:
    lines = [{**_camel_case(line), "amounts": line.amounts_minor} for line in offer.lines]
    about = {"delivery": offer.delivery_minor, "otherGoods": offer.other_goods, "automatic": offer.automatic_minor}
    return {"key": key, "lines": lines, **about}


def status_schema(view: StatusView, polls: int) -> OrderStatus:
    """`polls`: how often the state was asked for before, by the same page."""
    wait = WAITS_MS[polls] if view.is_settling and polls < len(WAITS_MS) else None
    return OrderStatus.model_validate({**_camel_case(view), "retryMs": wait})


def list_schema(page: OrderPage) -> OrderList:
    return OrderList.model_validate(_camel_case(page))


def _line(code: str, line: LineView) -> Mapping[str, Any]:
    downloads = [
        {"name": file.name, "href": f"/order-files/{code}/{line.number}/{file.number}", "bytes": file.bytes}
        for file in line.files
    ]
    return {
        **_camel_case(line),
        "productId": None if line.product is None else line.product.id,
        "href": None if line.product is None else _href(line.product),
        "downloads": downloads,
        "learn": [{"name": course.name, "href": next_href(course.slug)} for course in line.courses],
    }


def _href(product: ProductRef) -> str:
    return href_of(product.kind, product.id, product.slug)


def _document(code: str, document: DocumentView) -> Mapping[str, Any]:
    return {**_camel_case(document), "href": f"/documents/{code}/{document.number}.pdf"}


def _camel_case(value: Any) -> Any:
    """Dataclasses as objects with names in camelCase; what a schema does not name is left out by it."""
    if is_dataclass(value):
        return {_name(field.name): _camel_case(getattr(value, field.name)) for field in fields(value)}
    return [_camel_case(item) for item in value] if isinstance(value, tuple) else value


def _name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
