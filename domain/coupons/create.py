"""Creates coupons, single ones or batches with random codes that cannot be guessed and are hard to misread."""

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from domain import money
from domain.coupons.queries import CODE_LENGTH, code_columns, normalised
from domain.database.parts import parts_of
from domain.errors import InvalidInput, NotFound, Refused
from domain.money import Currency
from domain.readable_codes import encode
from domain.tables import Category, Coupon, CouponProduct, Organisation, Product
from domain.text_direction import isolated
from domain.typed_codes import plain_code

# About 2^48 possibilities: the 60 guesses allowed per hour find nothing.
RANDOM_LETTERS = 10
MAX_BATCH = 10_000
_BATCH = 1_000
# A letter or digit first: spreadsheets read texts that begin with =, +, - or @ as formulas.
_CODE = re.compile(r"[^\W_](?:[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?")
# Values of `discountProductType` with a meaning of their own: no category has such a slug.
RESERVED = ("all", "course", "item")
STATES = ("draft", "active", "paused", "ended")


@dataclass(frozen=True)
class CouponDraft:
    """The terms of new coupons. `once_per_order`: of an amount alone. `applies_to`: all, course, item or a category's
    slug; `products`: slugs of courses or items (course:{slug}, item:{slug} where both have it); `organisation`: slug of
    the one whose members may use them. None: no limit."""

    kind: str
    value: Decimal
    currency: Currency
    once_per_order: bool = True
    minimum: Decimal = Decimal("0.00")
    applies_to: str = "all"
    products: tuple[str, ...] = ()
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    total_limit: int | None = None
    learner_limit: int | None = None
    organisation: str = ""
    is_special: bool = False
    campaign: str = ""
    state: str = "active"


def create(session: Session, code: str, draft: CouponDraft, at: datetime) -> Coupon:
    """Create a coupon with a chosen code. Raises InvalidInput, NotFound, Refused for a code that exists already."""
    code = plain_code(code)
    if len(normalised(code)) > CODE_LENGTH or not _CODE.fullmatch(code):
        text = f"Write a code of 1 to {CODE_LENGTH} characters that begins with a letter or digit."
        raise InvalidInput({"code": text})
    if session.scalar(select(Coupon.id).where(Coupon.code == normalised(code))) is not None:
        raise Refused(f"There is a coupon {isolated(code)} already.")
    coupon = Coupon(**code_columns(code), **_shared_columns(session, draft, at))
    session.add(coupon)
    session.flush()
    _add_products(session, [coupon.id], _product_ids(session, draft))
    return coupon


def check_batch(session: Session, number: int, prefix: str, draft: CouponDraft, at: datetime) -> None:
    """Raises InvalidInput, and NotFound for a product, category or organisation that there is not."""
    _check_size(number, prefix)
    _shared_columns(session, draft, at)
    _product_ids(session, draft)


def create_batch(  # noqa: PLR0913 what, how many, when and for whom
    session: Session, number: int, prefix: str, draft: CouponDraft, at: datetime, *, batch_id: int | None = None
) -> list[str]:
    """Create `number` coupons with random codes such as SPRING-7KQ2M-9XDWA; returns the codes. `batch_id`: of the job
    that makes them."""
    _check_size(number, prefix)
    columns: dict[str, object] = {**_shared_columns(session, draft, at), "batch_id": batch_id}
    products = _product_ids(session, draft)
    created: list[str] = []
    for batch in parts_of(_codes(session, number, prefix), _BATCH):
        session.execute(insert(Coupon), [{**code_columns(code), **columns} for code in batch])
        if products:
            ids = session.scalars(select(Coupon.id).where(Coupon.code.in_([normalised(code) for code in batch])))
            _add_products(session, list(ids), products)
        created += batch
    return created


def _check_size(number: int, prefix: str) -> None:
    if not 1 <= number <= MAX_BATCH:
        raise InvalidInput({"number": f"Make 1 to {MAX_BATCH} codes at once."})
    if not re.fullmatch(r"[A-Za-z0-9-]{0,32}", prefix):
        raise InvalidInput({"prefix": "A prefix has at most 32 letters, digits and hyphens."})


def random_code(prefix: str = "") -> str:
    letters, start = encode(RANDOM_LETTERS), prefix.strip("-").upper()
    return "-".join(part for part in (start, letters[:5], letters[5:]) if part)


def _codes(session: Session, number: int, prefix: str) -> list[str]:
    """`number` random codes that do not exist yet."""
    codes: dict[str, None] = {}
    while len(codes) < number:
        drawn = {random_code(prefix) for _ in range(min(_BATCH, number - len(codes)))}
        taken = set(
            session.scalars(select(Coupon.display_code).where(Coupon.code.in_([normalised(code) for code in drawn])))
        )
        codes |= dict.fromkeys(sorted(drawn - taken))
    return list(codes)


def _shared_columns(session: Session, draft: CouponDraft, at: datetime) -> dict[str, object]:
    """The columns that all coupons of a draft share. Raises InvalidInput or NotFound."""
    _check(draft)
    return {
        "kind": draft.kind,
        "value": draft.value,
        "once_per_order": draft.once_per_order,
        "minimum": draft.minimum,
        "applies_to": draft.applies_to if draft.applies_to in RESERVED else "category",
        "category_id": None if draft.applies_to in RESERVED else id_of_category(session, draft.applies_to),
        "starts_at": draft.starts_at,
        "ends_at": draft.ends_at,
        "total_limit": draft.total_limit,
        "learner_limit": draft.learner_limit,
        "organisation_id": organisation_id_of(session, draft.organisation) if draft.organisation else None,
        "is_special": draft.is_special,
        "campaign": draft.campaign[:100],
        "state": draft.state,
        "uses": 0,
        "created_at": at,
    }


def _check(draft: CouponDraft) -> None:
    errors = {}
    largest = money.max_amount(draft.currency)
    most = Decimal(100) if draft.kind == "percent" else largest
    if draft.kind not in ("percent", "amount"):
        errors["kind"] = "A coupon takes off a percent or an amount."
    if not draft.value.is_finite() or not 0 < draft.value <= most:
        errors["value"] = f"Take off more than 0 and at most {most}."
    if not draft.minimum.is_finite() or not 0 <= draft.minimum <= largest:
        errors["minimum"] = f"A minimum lies between 0 and {largest}."
    if any(limit is not None and not 0 < limit < 2**31 for limit in (draft.total_limit, draft.learner_limit)):
        errors["limit"] = "A limit is at least 1; leave it out for none."
    if draft.starts_at is not None and draft.ends_at is not None and draft.ends_at <= draft.starts_at:
        errors["ends"] = "It must end after it begins."
    if "value" not in errors and not _fits(draft.value, draft):
        errors["value"] = f"{draft.value} is too fine: {_steps(draft)}."
    if "minimum" not in errors and not money.is_rounded(draft.minimum, draft.currency):
        errors["minimum"] = (
            f"{draft.minimum} is finer than {draft.currency.code} allows: {money.too_fine(draft.currency)}."
        )
    if draft.state not in STATES:
        errors["state"] = "One of " + ", ".join(STATES) + "."
    if errors:
        raise InvalidInput(errors)


def _fits(value: Decimal, draft: CouponDraft) -> bool:
    """Percentages have up to two decimals, in every currency."""
    if draft.kind == "percent":
        return value == value.quantize(Decimal("0.01"))
    return money.is_rounded(value, draft.currency)


def _steps(draft: CouponDraft) -> str:
    return "a percentage has up to two decimals" if draft.kind == "percent" else money.too_fine(draft.currency)


def id_of_category(session: Session, slug: str) -> int:
    """Raises NotFound."""
    category_id = session.scalar(select(Category.id).where(Category.slug == slug))
    if category_id is None:
        raise NotFound(f"There is no category {slug}; a coupon covers all, course, item or a category.")
    return category_id


def organisation_id_of(session: Session, slug: str) -> int:
    """Raises NotFound."""
    organisation_id = session.scalar(select(Organisation.id).where(Organisation.slug == slug))
    if organisation_id is None:
        raise NotFound(f"There is no organisation {slug}.")
    return organisation_id


def _product_ids(session: Session, draft: CouponDraft) -> list[int]:
    return [product_id_of(session, text) for text in draft.products]


def product_id_of(session: Session, text: str) -> int:
    """The product of a slug (course:{slug}, item:{slug} where both have it). Raises NotFound."""
    kind, colon, slug = text.rpartition(":")
    query = select(Product.id).where(Product.slug == slug)
    ids = session.scalars(query.where(Product.kind == kind) if colon else query).all()
    if len(ids) != 1:
        raise NotFound(f"No one course or shop item is called {isolated(text)}; write course:{slug} or item:{slug}.")
    return ids[0]


def _add_products(session: Session, coupon_ids: list[int], product_ids: list[int]) -> None:
    rows = [{"coupon_id": coupon, "product_id": product} for coupon in coupon_ids for product in product_ids]
    if rows:
        session.execute(insert(CouponProduct), rows)
