"""The states of a product: draft, scheduled, published, retired; each step applies the publish rules again."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from contracts.payloads import ProductItem
from contracts.tasks import OutboxKind
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, Refused
from domain.learning import closures
from domain.outbox import queue as outbox_queue
from domain.permissions import Actor
from domain.publishing import publish_rules, slugs, study_sheets
from domain.publishing.categories import category_ids
from domain.publishing.editing import item_contents
from domain.publishing.editing.stored_course import Edit, locked_course, put
from domain.publishing.editing.stored_product import StoredProduct, locked_product, put_product
from domain.publishing.prices import apply_planned
from domain.publishing.records import CourseRecord
from domain.publishing.slug_changes import rename
from domain.tables import FormerSlug, PriceChange, Product

# A plan further away is more likely a slip of the year.
LATEST_PLAN = timedelta(days=730)
# Products of one run; a later run does the rest.
DUE_LIMIT = 500
NO_LESSONS = (
    "This course has no lessons of its own: who buys it gets a study guide that the shop makes of its texts, and its "
    "page says so. Publish it on its own page, and confirm that there."
)


def create(session: Session, actor: Actor, name: str, category: str) -> int:
    """A new draft, free until it has a price; returns its id. Raises InvalidInput for a name that is empty or whose
    address another course has or had, NotFound for an unknown category."""
    name, slug = " ".join(name.split()), slugs.slug_from(name)
    category_ids(session, {category})
    if not slug:
        raise InvalidInput({"name": "Enter a name with letters or digits."})
    if is_taken(session, slug):
        raise InvalidInput({"name": f"Another course has or had the address {slug}. Choose another name."})
    record = CourseRecord(slug=slug, name=name, category=category, list_price=publish_rules.FREE)
    course_id = _put_new(session, actor, record)
    recording.record(session, "course.create", Subject("course", course_id), after={"name": name, "slug": slug})
    return course_id


def duplicate(session: Session, edit: Edit) -> int:
    """A draft with the same texts and price, without lessons, reviews and learners; returns its id. Raises NotFound."""
    source = locked_course(session, edit.product_id)
    number = next(number for number in range(2, 1_000) if not is_taken(session, f"{source.product.slug}-{number}"))
    record = replace(
        source.record,
        slug=f"{source.product.slug}-{number}",
        name=f"{source.record.name} ({number})",
        source_id=None,
        enrolled=0,
        featured=False,
        sale_price=None,
        sale_from=None,
        sale_until=None,
        published_at=None,
        retired_at=None,
    )
    copy_id = _put_new(session, edit.actor, record)
    recording.record(session, "course.duplicate", Subject("course", copy_id), after={"source": edit.product_id})
    return copy_id


def change_address(session: Session, edit: Edit, slug: str) -> None:
    """Rename: the former address redirects for ever. Raises NotFound, and Refused as `rename`."""
    stored = locked_product(session, edit.product_id, kind=edit.kind)
    before = stored.product.slug
    if before == slug:
        recording.no_change(session)
        return
    rename(session, stored.product, slug, edit.actor.at)
    stored.product.version += 1
    subject = Subject(stored.product.kind, edit.product_id)
    recording.record(session, f"{subject.kind}.rename", subject, before={"slug": before}, after={"slug": slug})


def publish(session: Session, edit: Edit, starts_at: datetime | None, is_outline_meant: bool = False) -> int:
    """Publish now (None), or at a time; returns the version. `is_outline_meant`: also a course that was never sold and
    has no lessons of its own. Raises NotFound, NewerVersion, InvalidInput for a time that is past, and Refused with all
    that the course lacks, and for such a course where nobody has confirmed it."""
    stored = locked_product(session, edit.product_id, edit.version, edit.kind)
    _require_complete(stored)
    if stored.product.status in ("draft", "scheduled"):
        item_contents.require_contents(session, stored)
    if not is_outline_meant and comes_as_outline(session, stored):
        raise Refused(NO_LESSONS)
    closures.require_open(session, edit.product_id, edit.actor.at)
    if starts_at is None:
        published_at = stored.product.published_at if stored.product.status in ("published", "retired") else None
        return _set_state(session, edit, stored, _State("published", published_at or edit.actor.at))
    if stored.product.status not in ("draft", "scheduled"):
        raise Refused(f"This {stored.product.kind} is {stored.product.status} already.")
    if not edit.actor.at < starts_at <= edit.actor.at + LATEST_PLAN:
        raise InvalidInput({"startsAt": "Choose a time in the future, within two years."})
    return _set_state(session, edit, stored, _State("scheduled", starts_at))


def comes_as_outline(session: Session, stored: StoredProduct) -> bool:
    """Whether this is a course that was never sold and has no lessons of its own: staff confirm that they mean it."""
    is_new = stored.product.kind == "course" and stored.product.status in ("draft", "scheduled")
    return is_new and not study_sheets.has_own_lessons(session, stored.product.id)


def make_draft(session: Session, edit: Edit) -> int:
    """Take back a planned publication. Raises NotFound, NewerVersion, and Refused for one that people have seen."""
    stored = locked_product(session, edit.product_id, edit.version, edit.kind)
    if stored.product.status not in ("draft", "scheduled"):
        raise Refused(f"A published {stored.product.kind} is retired instead: people have its address.")
    return _set_state(session, edit, stored, _State("draft", None))


def retire(session: Session, edit: Edit, successor: str, reason: str) -> int:
    """Sell the course no more; owners keep it. `successor`: the slug of another course, "" for none. Raises NotFound,
    NewerVersion, InvalidInput for a successor that is no published course and without a reason, Refused for one that
    is no longer or not yet published."""
    stored = locked_product(session, edit.product_id, edit.version, edit.kind)
    if stored.product.status != "published":
        raise Refused(f"Only a published {stored.product.kind} can be retired.")
    if not reason.strip():
        raise InvalidInput({"reason": "Say why, for the record."})
    found = successor_id(session, stored.product, successor)
    version = _set_state(session, edit, stored, _State("retired", stored.product.published_at), reason)
    session.execute(update(Product).where(Product.id == edit.product_id).values(successor_id=found))
    return version


def successor_id(session: Session, product: Product, slug: str) -> int | None:
    """The id of the published product of the same kind that has this slug; None for "". Raises InvalidInput."""
    if not slug:
        return None
    query = select(Product.id).where(Product.kind == product.kind, Product.slug == slug, Product.status == "published")
    found = session.scalar(query)
    if found is None or found == product.id:
        raise InvalidInput({"successor": f"There is no other published {product.kind} with this address."})
    return found


def due_courses(session: Session, at: datetime) -> list[int]:
    """The scheduled courses and items whose time has come."""
    due = select(Product.id).where(Product.status == "scheduled", Product.published_at <= at)
    return [*session.scalars(due.order_by(Product.published_at, Product.id).limit(DUE_LIMIT))]


def due_prices(session: Session, at: datetime) -> list[int]:
    """The planned prices whose time has come."""
    due = select(PriceChange.id).where(PriceChange.applied_at.is_(None), PriceChange.starts_at <= at)
    return [*session.scalars(due.order_by(PriceChange.starts_at, PriceChange.id).limit(DUE_LIMIT))]


def publish_due(session: Session, course_id: int, at: datetime) -> bool:
    """Publish a scheduled course whose time has come. A course that lacks something becomes a draft, and the staff get
    a mail that says what. False when there is nothing to do any more. For `Database.write_as`."""
    stored = locked_product(session, course_id)
    product, missing = stored.product, stored.missing
    if product.status != "scheduled" or product.published_at is None or product.published_at > at:
        recording.no_change(session)
        return False
    status = "draft" if missing else "published"
    put_product(session, replace(stored.record, status=status), at)
    if missing:
        outbox_queue.enqueue(session, OutboxKind.PUBLICATION_FAILED, ProductItem(product_id=course_id), at)
    reason = f"It cannot be published: {', '.join(missing)}." if missing else "Its time has come."
    action = f"{product.kind}.{'refuse' if missing else 'publish'}"
    subject, before, after = Subject(product.kind, course_id), {"status": "scheduled"}, {"status": status}
    recording.record(session, action, subject, before=before, after=after, reason=reason)
    return True


def apply_due_price(session: Session, change_id: int, at: datetime) -> bool:
    """Apply a planned price whose time has come. False when there is nothing to do any more. For
    `Database.write_as`."""
    product = apply_planned(session, change_id, at)
    if product is None:
        recording.no_change(session)
        return False
    after = {"list_price": product.list_price, "sale_price": product.sale_price}
    recording.record(
        session, "price.apply", Subject(product.kind, product.id), after=after, reason="Its time has come."
    )
    return True


def is_taken(session: Session, slug: str, kind: str = "course") -> bool:
    """Whether a product of this kind has this address, or had it."""
    if session.scalar(select(Product.id).where(Product.kind == kind, Product.slug == slug)) is not None:
        return True
    return session.get(FormerSlug, (kind, slug)) is not None


def _put_new(session: Session, actor: Actor, record: CourseRecord) -> int:
    put(session, replace(record, status="draft", updated_at=actor.at), actor.at)
    query = select(Product.id).where(Product.kind == "course", Product.slug == record.slug)
    return session.scalars(query).one()


def _require_complete(stored: StoredProduct) -> None:
    if stored.missing:
        raise Refused(f"This {stored.product.kind} cannot be published yet: {', '.join(stored.missing)}.")


@dataclass(frozen=True)
class _State:
    status: str
    published_at: datetime | None


def _set_state(session: Session, edit: Edit, stored: StoredProduct, state: _State, reason: str = "") -> int:
    before, at = _State(stored.product.status, stored.product.published_at), edit.actor.at
    retired_at = at if state.status == "retired" else None
    version = put_product(session, replace(stored.record, **vars(state), retired_at=retired_at), at)
    if before == state:
        recording.no_change(session)
    else:
        subject = Subject(stored.product.kind, edit.product_id)
        action = f"{subject.kind}.{_ACTIONS[state.status]}"
        recording.record(session, action, subject, before=vars(before), after=vars(state), reason=reason)
    return version


_ACTIONS = {"draft": "withdraw", "scheduled": "schedule", "published": "publish", "retired": "retire"}
