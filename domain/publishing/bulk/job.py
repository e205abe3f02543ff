"""The job of a bulk change: some rows a step, each by the rules of the single change."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.errors import DomainError, InvalidInput, Refused
from domain.jobs.claims import Claim, JobStep
from domain.jobs.starters import starter_of
from domain.money import Currency
from domain.permissions import Actor
from domain.publishing.bulk import price_rows, price_rules
from domain.publishing.bulk.operations import permission_of
from domain.publishing.editing import course_texts, item_texts, publication
from domain.publishing.editing.stored_course import Edit, StoredCourse
from domain.publishing.editing.stored_product import StoredProduct, locked_product
from domain.tables import BulkChange, BulkChangeRow, Job, Product

log = logging.getLogger("coursefront.bulk")

KIND = "bulk_change"
ROWS_A_STEP = 20
MAX_NOTE_LENGTH = 500
CATEGORY_CHANGED_SINCE = "Somebody has changed its category since."
CHANGED_SINCE = "Somebody has changed it since."
UNEXPECTED = "Something went wrong on our side."
# In the report: the time of the newest change. A job that is stopped ends a moment before its last step does.
UNTIL = "until"


def steps(claim: Claim, clock: Callable[[], datetime], currency: Currency) -> Iterator[JobStep]:
    """Raises Refused once whoever began it does not have the permission of the operation any more."""
    number = int(claim.input["number"])
    for done in range(claim.processed, number, ROWS_A_STEP):
        yield JobStep(partial(_work, claim, clock, currency), min(done + ROWS_A_STEP, number), number)


def _work(claim: Claim, clock: Callable[[], datetime], currency: Currency, session: Session) -> Mapping[str, Any]:
    """How many rows came to what so far, and until when."""
    change_id = int(claim.input["bulk_change_id"])
    rows = _locked_rows(session, change_id)
    change, at = session.get_one(BulkChange, change_id), clock()
    actor = starter_of(session, claim.id, permission_of(change), at)
    recording.run(session, actor, _change_rows, change, rows, actor, currency)
    counts = select(BulkChangeRow.state, func.count()).where(BulkChangeRow.bulk_change_id == change.id)
    return {**dict(session.execute(counts.group_by(BulkChangeRow.state)).all()), UNTIL: at.isoformat()}


def _locked_rows(session: Session, change_id: int) -> Sequence[BulkChangeRow]:
    """The next rows, while nobody else can change them or their products.

    Before any other reading: MariaDB reads a transaction's rows as they were at its first plain SELECT, and what was
    saved between that and the lock would be written back. Whoever changes one product locks it before the version of
    the catalogue, which the first change takes: so all are locked here.
    """
    waiting = (BulkChangeRow.bulk_change_id == change_id, BulkChangeRow.state == "chosen")
    query = select(BulkChangeRow).where(*waiting).order_by(BulkChangeRow.product_id).limit(ROWS_A_STEP)
    rows = session.scalars(query.with_for_update()).all()
    ids = [row.product_id for row in rows]
    session.execute(select(Product.id).where(Product.id.in_(ids)).order_by(Product.id).with_for_update())
    return rows


def _change_rows(
    session: Session, change: BulkChange, rows: Sequence[BulkChangeRow], actor: Actor, currency: Currency
) -> None:
    recording.no_change(session)
    for row in rows:
        try:
            with recording.savepoint(session):
                if change.action == "price":
                    is_changed = _change_price(session, change, row, actor, currency)
                else:
                    row.before, is_changed = _change(session, change, row.target, Edit(actor, row.product_id))
            row.state = "changed" if is_changed else "unchanged"
        except InvalidInput as error:
            _refuse(row, " ".join(error.errors.values()))
        except DomainError as error:
            _refuse(row, str(error))
        except (OperationalError, InterfaceError):
            # The database is away, or rolled everything back and asks for a repeat: of the whole step.
            raise
        except Exception:
            log.exception("bulk change %d: product %d", row.bulk_change_id, row.product_id)
            _refuse(row, UNEXPECTED)


def _change_price(session: Session, change: BulkChange, row: BulkChangeRow, actor: Actor, currency: Currency) -> bool:
    """Whether the price was changed, planned, or given back."""
    product, known = session.get_one(Product, row.product_id, populate_existing=True), row.prices or {}
    if change.undoes_id is not None:
        return price_rows.put_back(session, actor, product, known, currency)
    rule = price_rules.rule_of(change.pricing or {}, currency)
    row.prices = price_rows.set_previewed(session, actor, product, rule, known)
    return True


def _change(session: Session, change: BulkChange, target: str | None, edit: Edit) -> tuple[str, bool]:
    """What the product had before, and whether that was changed."""
    stored = locked_product(session, edit.product_id, kind=change.kind)
    category, status = stored.record.category, stored.product.status
    if change.undoes_id is not None:
        _require_unchanged_since(session, change, stored)
    if change.action == "category":
        _put_category(session, edit, stored, target or "")
        return category, category != target
    if change.action == "retire":
        publication.retire(session, edit, "", change.reason)
        return status, True
    publication.publish(session, edit, None)
    return status, status != "published"


def _require_unchanged_since(session: Session, undo: BulkChange, stored: StoredProduct) -> None:
    """Raises Refused for a product that has not what the former change gave it."""
    if undo.action == "category":
        if stored.record.category != undo.category:
            raise Refused(CATEGORY_CHANGED_SINCE)
        return
    retired_at = stored.product.retired_at
    if stored.product.status != "retired" or retired_at is None or retired_at > _last_change(session, undo):
        raise Refused(CHANGED_SINCE)


def _last_change(session: Session, undo: BulkChange) -> datetime:
    """When the change that is undone made its newest one."""
    columns = select(Job.report, Job.ended_at).join(BulkChange, BulkChange.job_id == Job.id)
    report, ended_at = session.execute(columns.where(BulkChange.id == undo.undoes_id)).one()
    # Jobs of an earlier version did not report it.
    return datetime.fromisoformat(report[UNTIL]) if UNTIL in report else ended_at


def _put_category(session: Session, edit: Edit, stored: StoredProduct, category: str) -> None:
    if isinstance(stored, StoredCourse):
        texts = replace(course_texts.texts_of(stored.record), category=category)
        course_texts.change_texts(session, edit, texts)
    else:
        item = replace(item_texts.texts_of(stored.record), category=category)
        item_texts.change_item_texts(session, edit, item)


def _refuse(row: BulkChangeRow, reason: str) -> None:
    row.state, row.before, row.note = "refused", None, reason[:MAX_NOTE_LENGTH]
