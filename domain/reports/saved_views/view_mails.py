"""The mail of a saved view, to whoever asked for it, as long as they may read reports."""

import json
from datetime import date, datetime
from urllib.parse import quote as quoted

from sqlalchemy.orm import Session

from contracts.payloads import ReportMailItem, decode
from contracts.tasks import OutboxKind
from domain.mail import ExampleCase, Mail, MailFile, MailSite, Values, mail
from domain.outbox.leases import Lease
from domain.reports.saved_views import subscriptions
from domain.tables import Learner, ReportDelivery, ReportSubscription, SavedReport

PATH = "/admin/visits/saved"


def _delivery(session: Session, lease: Lease) -> ReportDelivery | None:
    item = decode(ReportMailItem, lease.body)
    return session.get(ReportDelivery, (item.subscription_id, date.fromisoformat(item.period)))


def _clear(session: Session, lease: Lease, _at: datetime) -> None:
    """What was sent, or never can be, is in the report itself."""
    if (delivery := _delivery(session, lease)) is not None:
        delivery.content = ""


def _example(case: ExampleCase) -> Values:
    figure = {"label": "Sessions", "value": "1,204", "change": "+12% (before: 1,075)"}
    report = {
        "person": case.name,
        "view": "Newsletter, last week",
        "title": "Sources",
        "period": "" if case.is_bare else f"{case.day(-7)} to {case.day(-1)}, UTC",
        "figures": [] if case.is_bare else [figure],
        "headings": [] if case.is_bare else ["Channel", "Sessions", "Before"],
        "rows": [] if case.is_bare else [["Search engines", "702", "640"], ["Email", "310", "255"]],
        "more": "" if case.is_bare else "The attached file has all 12 rows.",
        "empty": "No visits of people were counted in these days." if case.is_bare else "",
        "notes": [] if case.is_bare else ["Left out: 31 visits of suspected programs and 1,840 of crawlers."],
        "link": f"{case.site.origin}/adminlogin?returnTo={PATH}/1",
    }
    return {"report": report}


@mail(
    "Whoever of staff asked for it",
    {OutboxKind.REPORT: "A saved view of a report is due."},
    example=_example,
    on_accepted=_clear,
    on_refused=_clear,
)
def saved_view(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """None when it was sent before, and once the reader has stopped it, may not read reports or does not see the
    view."""
    delivery = _delivery(session, lease)
    if delivery is None or not delivery.content:
        return None
    subscription = session.get_one(ReportSubscription, delivery.subscription_id)
    saved = session.get_one(SavedReport, subscription.saved_report_id)
    if saved.deleted_at is not None or subscription.ended_at is not None:
        return None
    if subscriptions.end_reason(session, subscription, saved) is not None:
        return None
    content = json.loads(delivery.content)
    learner = session.get_one(Learner, subscription.learner_id)
    page = f"{site.origin}/adminlogin?returnTo={quoted(f'{PATH}/{saved.id}', safe='/')}"
    values = {**content, "person": " ".join(learner.name.split()), "link": page}
    files = (MailFile(content["file_name"], "csv", content["file"]),) if content["file"] else ()
    return Mail(learner.email, {"report": values}, files=files)
