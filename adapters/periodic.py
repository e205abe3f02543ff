"""Work that begins by itself at fixed intervals: workers do it when beat sends its task, a host without a broker
(REDIS_URL=none) in a thread of its own (host/jobs/inline_periodic.py).

Each piece may be done twice, also at the same time. What fails is logged, and done by the next run.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from contracts.tasks import Task
from domain.cart import cart_coupon
from domain.checkout import cart_links, drafts
from domain.coupons.leaks import raising
from domain.database.database import Database
from domain.database.parts import parts_of
from domain.documents import erasure
from domain.health import samples as health_samples
from domain.health.samples import KEEP
from domain.identity import sessions
from domain.images import unused_files
from domain.learning import closures
from domain.learning.reviews import counting
from domain.organisations.joining import closing
from domain.outbox import queue as outbox_queue
from domain.payments import gateway_events
from domain.permissions import SystemActor
from domain.publishing.editing import publication
from domain.quotes import lapsing, own_quotes
from domain.reports import organisation_months, partner_months
from domain.reports.saved_views import delivery, views
from domain.reports.visit_reports import accesses
from domain.reports.warehouse import Warehouse
from domain.reservations import carts as reservation_carts
from domain.seats import daily
from domain.staff import confirmations
from domain.uploads import upload_rows
from domain.visits import dead_letters, late_visits, link_numbers
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.retention.run import Retention

log = logging.getLogger("coursefront.periodic")

# Functions that take a limited number of rows are repeated for so long in one run. Between two of them others get the
# locks, on SQLite that of the whole database.
REPEAT_S = 5.0
# The next run goes on. A task may take 20 s, and without a broker the other pieces wait meanwhile.
RETAIN_S = 12.0


@dataclass(frozen=True)
class Means:
    """What the work needs. Days, years and steps as the settings of these names say; 0 days: for ever."""

    database: Database
    files_folder: Path
    outbox_keep_days: int
    dead_letters_keep_days: int
    documents_keep_years: int
    day_rules: DayRules
    periods: Periods
    report_k: int
    files: Warehouse | None = None


_EVER = datetime(1970, 1, 1, tzinfo=UTC)
Work = Callable[[Means, datetime], None]


def run(task: Task, means: Means) -> None:
    """Do the work of a task now."""
    try:
        WORK[task](means, datetime.now(UTC))
    except (SQLAlchemyError, OSError) as error:
        log.warning("%s: failed until the next run: %s", task, error)


def _release_reservations(means: Means, at: datetime) -> None:
    _repeat(means, "reservations released", reservation_carts.release_expired, at, logging.INFO)


def _delete_expired_carts(means: Means, at: datetime) -> None:
    _once(means, "guests' carts deleted", cart_coupon.delete_expired_carts, at)
    _once(means, "cart links deleted", cart_links.delete_expired, at)
    _once(means, "drafts of the checkout deleted", drafts.delete_expired, at)
    # What was set aside for them is free for others.
    _repeat(means, "invitations closed that nobody answered", closing.expire_due, at, logging.INFO)


def _delete_expired_sessions(means: Means, at: datetime) -> None:
    """Sessions, and changes of staff that nobody has confirmed in time."""
    _once(means, "sessions deleted", sessions.delete_expired, at)
    with means.database.read_session() as session:
        due = confirmations.expired(session, at)
    write = partial(means.database.write_as_sync, SystemActor("system", at))
    _each(write, "unconfirmed change", confirmations.expire, due, at)


def _delete_done_outbox_rows(means: Means, at: datetime) -> None:
    _repeat(
        means, "old events of the gateway deleted", gateway_events.delete_old, at - gateway_events.KEEP, logging.INFO
    )
    if not means.outbox_keep_days:
        return
    before = at - timedelta(days=means.outbox_keep_days)
    _repeat(means, "done rows of the outbox deleted", outbox_queue.delete_done, before)


def _delete_old_dead_letters(means: Means, at: datetime) -> None:
    """Dead letters and dead rows of the outbox that nobody replayed."""
    before = at - timedelta(days=means.dead_letters_keep_days) if means.dead_letters_keep_days else _EVER
    _repeat(means, "dead letters deleted unread", dead_letters.delete_old, before)
    _repeat(means, "dead rows of the outbox deleted unread", outbox_queue.delete_dead, before)


def _retain_visits(means: Means, at: datetime) -> None:
    """Days become final, and what is too old is deleted; so are looks at reports."""
    about = (means.database, means.day_rules, means.periods)
    report = Retention(*about, lambda: datetime.now(UTC), RETAIN_S, means.files).run()
    if report.final or report.visits or report.hours or report.searches:
        done = (len(report.final), report.visits, report.hours, report.searches)
        log.info("days that became final: %d; deleted: visits %d, hours %d, searches %d", *done)
    if means.periods.touchpoints:
        before = at - timedelta(days=means.periods.touchpoints)
        _repeat(means, "old looks at reports deleted", accesses.delete_old, before, logging.INFO)


def _erase_old_documents(means: Means, at: datetime) -> None:
    """Names and addresses of orders with old documents, and of old quotes."""
    before = erasure.years_before(at, means.documents_keep_years)
    _repeat(means, "orders of old documents erased", erasure.erase_old, before, logging.INFO)
    _repeat(means, "old quotes erased", partial(_erase_quotes, before), at, logging.INFO)


def _erase_quotes(before: datetime, session: Session, at: datetime) -> int:
    return own_quotes.erase_old(session, before, at)


def _remind_of_quotes(means: Means, at: datetime) -> None:
    _repeat(means, "owners reminded of a quote that ends", lapsing.remind_due, at, logging.INFO)


def _anonymise_late_visits(means: Means, at: datetime) -> None:
    """Make visits anonymous of learners who were erased in the moment when a visit was stored, and remove the student
    numbers of erased learners."""
    _repeat(means, "late visits of erased learners made anonymous", late_visits.anonymise, at, logging.INFO)
    _repeat(means, "visits looked through for student numbers", link_numbers.erase_some, at, logging.INFO)


def _delete_old_samples(means: Means, at: datetime) -> None:
    _repeat(means, "samples of the site's state deleted", health_samples.delete_old, at - KEEP, logging.INFO)


def _delete_expired_uploads(means: Means, at: datetime) -> None:
    with means.database.read_session() as session:
        ids = upload_rows.expired(session, at)
    for upload_id in ids:
        if means.database.write_sync(upload_rows.forget, [upload_id], at):
            upload_rows.delete_contents(means.files_folder, upload_id)


def _delete_unused_files(means: Means, _at: datetime) -> None:
    """Delete the files of pictures that are deleted."""
    with means.database.read_session() as session:
        digests = unused_files.find(session)
    for batch in parts_of(digests, unused_files.BATCH):
        count = means.database.write_sync(unused_files.delete, batch, means.files_folder)
        log.info("files of deleted pictures deleted: %d", count)


def _update_ratings(means: Means, _at: datetime) -> None:
    """What a run cannot do is left for the next one."""
    log.info("stars of courses counted anew: %d", means.database.write_sync(counting.update_ratings))


def _publish_due(means: Means, at: datetime) -> None:
    """Scheduled courses and planned prices whose time has come."""
    with means.database.read_session() as session:
        courses, prices = publication.due_courses(session, at), publication.due_prices(session, at)
    write = partial(means.database.write_as_sync, SystemActor("system", at))
    _each(write, "scheduled course", publication.publish_due, courses, at)
    _each(write, "planned price", publication.apply_due_price, prices, at)


def _close_courses(means: Means, at: datetime) -> None:
    """Tell people that access to a course ends, or stays, and change its end."""
    with means.database.read_session() as session:
        courses = closures.all_ids(session)
    until = time.monotonic() + REPEAT_S
    for course_id in courses:
        if time.monotonic() > until:
            break
        _repeat(means, "people told of the end of a course", partial(_of_course, course_id), at, logging.INFO)


def _of_course(course_id: int, session: Session, at: datetime) -> int:
    return closures.apply_slice(session, course_id, at)


def _apply_seat_rules(means: Means, at: datetime) -> None:
    with means.database.read_session() as session:
        contracts = daily.contracts_to_run(session, at)
    _each(means.database.write_sync, "seats of contract", daily.run_contract, contracts, at)


def _freeze_months(means: Means, at: datetime) -> None:
    with means.database.read_session() as session:
        due = organisation_months.due_months(session, at)
    _each(means.database.write_sync, "month of an organisation", organisation_months.freeze, due)


def _freeze_partner_months(means: Means, at: datetime) -> None:
    """Sums of many days and orders: read before, and without any lock."""
    with means.database.read_session() as session:
        due = partner_months.due_months(session, means.day_rules, means.report_k, at)
    _each(means.database.write_sync, "month of a partner link", partner_months.freeze, due)


def _mail_reports(means: Means, at: datetime) -> None:
    """Saved views that are due; then what is too old of them goes."""
    written = delivery.ReportMails(means.database, means.day_rules, means.files).write_due(at)
    if written:
        log.info("mails of saved views: %d", written)
    _repeat(means, "old mails of saved views deleted", delivery.delete_old, at, logging.INFO)
    before = at - views.KEEP_DELETED
    _repeat(means, "saved views deleted for good", views.purge, before, logging.INFO)


def _raise_coupon_alarms(means: Means, at: datetime) -> None:
    """About codes that more networks used in the last whole hour than usual."""
    raised = means.database.write_sync(raising.raise_alarms, at)
    log.log(logging.WARNING if raised else logging.INFO, "alarms about coupons: %d", raised)


def _once(means: Means, what: str, function: Callable[..., object], at: datetime) -> None:
    try:
        log.info("%s: %s", what, means.database.write_sync(function, at))
    except SQLAlchemyError as error:
        log.warning("%s: failed until the next run: %s", what, error)


def _repeat(means: Means, what: str, function: Callable[..., int], at: datetime, level: int = logging.WARNING) -> None:
    """Until it finds no row; the next run does the rest."""
    count, until = 0, time.monotonic() + REPEAT_S
    try:
        while time.monotonic() < until and (done := means.database.write_sync(function, at)):
            count += done
    except SQLAlchemyError as error:
        # Other pieces of the same work go on.
        log.warning("%s: failed until the next run: %s", what, error)
    if count:
        log.log(level, "%s: %d", what, count)


def _each(
    write: Callable[..., object], what: str, function: Callable[..., object], subjects: Iterable[Any], *args: object
) -> None:
    """A transaction of `write` for each: one that fails does not delay others, and is tried again by the next run."""
    for subject in subjects:
        try:
            result = write(function, subject, *args)
        except SQLAlchemyError as error:
            log.warning("%s %s: failed until the next run: %s", what, subject, error)
        else:
            log.info("%s %s: %s", what, subject, result)


# What is done every so many seconds (contracts/tasks.py says when) and takes little time.
WORK: dict[Task, Work] = {
    Task.RELEASE_RESERVATIONS: _release_reservations,
    Task.DELETE_EXPIRED_CARTS: _delete_expired_carts,
    Task.DELETE_EXPIRED_SESSIONS: _delete_expired_sessions,
    Task.DELETE_DONE_OUTBOX_ROWS: _delete_done_outbox_rows,
    Task.DELETE_OLD_DEAD_LETTERS: _delete_old_dead_letters,
    Task.RETAIN_VISITS: _retain_visits,
    Task.ERASE_OLD_DOCUMENTS: _erase_old_documents,
    Task.ANONYMISE_LATE_VISITS: _anonymise_late_visits,
    Task.DELETE_OLD_SAMPLES: _delete_old_samples,
    Task.DELETE_EXPIRED_UPLOADS: _delete_expired_uploads,
    Task.DELETE_UNUSED_FILES: _delete_unused_files,
    Task.UPDATE_RATINGS: _update_ratings,
    Task.PUBLISH_DUE: _publish_due,
    Task.CLOSE_COURSES: _close_courses,
    Task.APPLY_SEAT_RULES: _apply_seat_rules,
    Task.FREEZE_MONTHS: _freeze_months,
    Task.FREEZE_PARTNER_MONTHS: _freeze_partner_months,
    Task.MAIL_REPORTS: _mail_reports,
    Task.REMIND_OF_QUOTES: _remind_of_quotes,
    Task.RAISE_COUPON_ALARMS: _raise_coupon_alarms,
}
