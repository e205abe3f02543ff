"""New coupons, one by one or in batches of codes that nobody can guess or misread."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from domain import money
from domain.coupons.records import CODE_LENGTH, folded
from domain.errors import InvalidInput, NotFound, Refused
from domain.readable import letters
from domain.tables import Category, Coupon, CouponProduct, Organisation, Product

# About 2^48 possibilities: an hour's 60 guesses find nothing.
RANDOM_LETTERS = 10
LARGEST_BATCH = 10_000
_INSERTED = 1_000
# A letter or digit first: a spreadsheet would take =, +, - and @ for a formula.
_CODE = re.compile(r"[^\W_](?:[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?")
# As `discountProductType` they would mean something else.
RESERVED = ("all", "course", "item")
STATES = ("draft", "active", "paused", "ended")


@dataclass(frozen=True)
class New:
    """The terms of new coupons. `covers`: all, course, item or a category's slug; `products`: slugs of courses or items
    (course:{slug}, item:{slug} where both have it); `organisation`: a slug, its members alone. None: no limit."""

    kind: str
    value: Decimal
    minimum: Decimal = Decimal("0.00")
    covers: str = "all"
    products: tuple[str, ...] = ()
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    total_limit: int | None = None
    learner_limit: int | None = None
    organisation: str = ""
    is_special: bool = False
    campaign: str = ""
    state: str = "active"


def create(session: Session, code: str, new: New, at: datetime) -> Coupon:
    """One coupon under a code of one's own choice. Raises InvalidInput, NotFound, Refused for a code that is taken."""
    if len(folded(code)) > CODE_LENGTH or not _CODE.fullmatch(code.strip()):
        text = f"Write a code of 1 to {CODE_LENGTH} characters that begins with a letter or digit."
        raise InvalidInput({"code": text})
    if session.scalar(select(Coupon.id).where(Coupon.code == folded(code))) is not None:
        raise Refused(f"There is a coupon {code.strip()} already.")
    made = Coupon(code=folded(code), shown=code.strip(), **_facts(session, new, at))
    session.add(made)
    session.flush()
    _name_products(session, [made.id], _products(session, new))
    return made


def create_batch(session: Session, number: int, prefix: str, new: New, at: datetime) -> list[str]:
    """As many coupons under codes of their own, such as SPRING-7KQ2M-9XDWA; answers the codes as they are written."""
    if not 1 <= number <= LARGEST_BATCH:
        raise InvalidInput({"number": f"Make 1 to {LARGEST_BATCH} codes at once."})
    if not re.fullmatch(r"[A-Za-z0-9-]{0,32}", prefix):
        raise InvalidInput({"prefix": "A prefix has at most 32 letters, digits and hyphens."})
    facts, products = _facts(session, new, at), _products(session, new)
    made: list[str] = []
    for part in _parts(_codes(session, number, prefix)):
        session.execute(insert(Coupon), [{"code": folded(code), "shown": code, **facts} for code in part])
        if products:
            ids = session.scalars(select(Coupon.id).where(Coupon.code.in_([folded(code) for code in part])))
            _name_products(session, list(ids), products)
        made += part
    return made


def random_code(prefix: str = "") -> str:
    made, bare = letters(RANDOM_LETTERS), prefix.strip("-").upper()
    return "-".join(part for part in (bare, made[:5], made[5:]) if part)


def _codes(session: Session, number: int, prefix: str) -> list[str]:
    """As many new ones; whatever chance repeats is drawn again."""
    made: dict[str, None] = {}
    while len(made) < number:
        drawn = {random_code(prefix) for _ in range(min(_INSERTED, number - len(made)))}
        taken = set(session.scalars(select(Coupon.shown).where(Coupon.code.in_([folded(one) for one in drawn]))))
        made |= dict.fromkeys(sorted(drawn - taken))
    return list(made)


def _parts(codes: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(codes), _INSERTED):
        yield codes[start : start + _INSERTED]


def _facts(session: Session, new: New, at: datetime) -> dict[str, object]:
    """The columns that all coupons of one kind share. Raises InvalidInput or NotFound."""
    _check(new)
    return {
        "kind": new.kind,
        "value": money.rounded(new.value),
        "minimum": money.rounded(new.minimum),
        "covers": new.covers if new.covers in RESERVED else "category",
        "category_id": None if new.covers in RESERVED else _id_of_category(session, new.covers),
        "starts_at": new.starts_at,
        "ends_at": new.ends_at,
        "total_limit": new.total_limit,
        "learner_limit": new.learner_limit,
        "organisation_id": _id_of_organisation(session, new.organisation) if new.organisation else None,
        "is_special": new.is_special,
        "campaign": new.campaign[:100],
        "state": new.state,
        "uses": 0,
        "created_at": at,
    }


def _check(new: New) -> None:
    errors = {}
    most = Decimal(100) if new.kind == "percent" else money.LARGEST
    if new.kind not in ("percent", "amount"):
        errors["kind"] = "A coupon takes off a percent or an amount."
    if not new.value.is_finite() or not 0 < new.value <= most:
        errors["value"] = f"Take off more than 0 and at most {most}."
    if not new.minimum.is_finite() or not 0 <= new.minimum <= money.LARGEST:
        errors["minimum"] = f"A minimum lies between 0 and {money.LARGEST}."
    if any(limit is not None and not 0 < limit < 2**31 for limit in (new.total_limit, new.learner_limit)):
        errors["limit"] = "A limit is at least 1; leave it out for none."
    if new.starts_at is not None and new.ends_at is not None and new.ends_at <= new.starts_at:
        errors["ends"] = "It must end after it begins."
    if new.state not in STATES:
        errors["state"] = "One of " + ", ".join(STATES) + "."
    if errors:
        raise InvalidInput(errors)


def _id_of_category(session: Session, slug: str) -> int:
    found = session.scalar(select(Category.id).where(Category.slug == slug))
    if found is None:
        raise NotFound(f"There is no category {slug}; a coupon covers all, course, item or a category.")
    return found


def _id_of_organisation(session: Session, slug: str) -> int:
    found = session.scalar(select(Organisation.id).where(Organisation.slug == slug))
    if found is None:
        raise NotFound(f"There is no organisation {slug}.")
    return found


def _products(session: Session, new: New) -> list[int]:
    return [_product(session, text) for text in new.products]


def _product(session: Session, text: str) -> int:
    kind, colon, slug = text.rpartition(":")
    query = select(Product.id).where(Product.slug == slug)
    found = session.scalars(query.where(Product.kind == kind) if colon else query).all()
    if len(found) != 1:
        raise NotFound(f"No one course or shop item is called {text}; write course:{slug} or item:{slug}.")
    return found[0]


def _name_products(session: Session, coupon_ids: list[int], product_ids: list[int]) -> None:
    rows = [{"coupon_id": one, "product_id": product} for one in coupon_ids for product in product_ids]
    if rows:
        session.execute(insert(CouponProduct), rows)


def set_state(session: Session, which: str, state: str) -> int:
    """Pause, end or wake a code, or every coupon of a campaign. Answers how many; raises NotFound for none."""
    key = folded(which)
    ids = session.scalars(select(Coupon.id).where((Coupon.code == key) | (Coupon.campaign == which.strip()))).all()
    if not ids:
        raise NotFound(f"There is no coupon and no campaign {which}.")
    for start in range(0, len(ids), _INSERTED):
        part = ids[start : start + _INSERTED]
        session.execute(update(Coupon).where(Coupon.id.in_(part)).values(state=state))
    return len(ids)
