"""What lines of an order have besides their own row: products, voucher codes, files, courses and gifts. One statement
each, and none where no line can have it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders.fulfilment import COURSES
from domain.orders.item_files import DOWNLOAD, files_of
from domain.orders.views.records import FileView, ProductRef, VoucherView
from domain.orders.views.state_texts import voucher_text
from domain.tables import Enrolment, EnrolmentGrant, Gift, Order, OrderLine, Product, VoucherCode

# Products that still have a page: a retired one says what replaces it.
WITH_PAGE = ("published", "retired")


@dataclass(frozen=True)
class LineParts:
    """By the id of the line; `products` by that of the product, `files` by the number of the line."""

    products: Mapping[int, ProductRef]
    voucher_codes: Mapping[int, Sequence[VoucherView]]
    files: Mapping[int, Sequence[FileView]]
    courses: Mapping[int, Sequence[ProductRef]]
    gifts: Mapping[int, Gift]


def line_parts(session: Session, order: Order, lines: Sequence[OrderLine]) -> LineParts:
    """`lines`: all of the order's. Only a paid order has given something."""
    given = [line for line in lines if line.kind == "product"] if order.paid_at is not None else []
    with_codes = [line.id for line in given if line.fulfilment == "code"]
    with_courses = [line.id for line in given if line.fulfilment in COURSES]
    return LineParts(
        products=_products(session, [line.product_id for line in lines if line.product_id is not None]),
        voucher_codes=_voucher_codes(session, with_codes),
        files=_files(session, order) if any(line.fulfilment == DOWNLOAD for line in given) else {},
        courses=_courses(session, with_courses),
        gifts=_gifts(session, [line.id for line in given if line.gift is not None]),
    )


def _products(session: Session, ids: Sequence[int]) -> dict[int, ProductRef]:
    columns = (Product.kind, Product.id, Product.slug, Product.name)
    query = select(*columns).where(Product.id.in_(ids), Product.status.in_(WITH_PAGE))
    return {row.id: ProductRef(*row) for row in session.execute(query)} if ids else {}


def _voucher_codes(session: Session, line_ids: Sequence[int]) -> Mapping[int, list[VoucherView]]:
    codes: dict[int, list[VoucherView]] = defaultdict(list)
    query = select(VoucherCode).where(VoucherCode.line_id.in_(line_ids)).order_by(VoucherCode.line_id)
    for row in session.scalars(query.order_by(VoucherCode.number)) if line_ids else ():
        text = voucher_text(is_used=row.used_at is not None, is_void=row.void_at is not None)
        codes[row.line_id].append(VoucherView(row.code, text, row.used_at, row.void_at))
    return codes


def _files(session: Session, order: Order) -> Mapping[int, list[FileView]]:
    files: dict[int, list[FileView]] = defaultdict(list)
    for file in files_of(session, order.learner_id, order.code):
        files[file.line_number].append(FileView(file.number, file.name, file.bytes))
    return files


def _courses(session: Session, line_ids: Sequence[int]) -> Mapping[int, list[ProductRef]]:
    """The courses to which each line gives access now."""
    courses: dict[int, list[ProductRef]] = defaultdict(list)
    is_live = (
        EnrolmentGrant.source == "order",
        EnrolmentGrant.source_id.in_(line_ids),
        EnrolmentGrant.ended_at.is_(None),
    )
    columns = (EnrolmentGrant.source_id, Product.kind, Product.id, Product.slug, Product.name)
    query = (
        select(*columns)
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .join(Product, Product.id == Enrolment.product_id)
        .where(*is_live)
        .order_by(EnrolmentGrant.source_id, EnrolmentGrant.id)
    )
    for row in session.execute(query) if line_ids else ():
        courses[row.source_id or 0].append(ProductRef(row.kind, row.id, row.slug, row.name))
    return courses


def _gifts(session: Session, line_ids: Sequence[int]) -> dict[int, Gift]:
    query = select(Gift).where(Gift.order_line_id.in_(line_ids))
    return {row.order_line_id or 0: row for row in session.scalars(query)} if line_ids else {}
