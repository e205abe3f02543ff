"""When the mail of a saved view is due, what it shows, and why it ends."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import select

from adapters import mail as mail_adapter
from domain import mail as domain_mail
from domain.mail import MailSite
from domain.outbox.leases import Lease
from domain.reports.saved_views import delivery, subscriptions, view_mails, views
from domain.reports.saved_views.subscriptions import MailTimes
from domain.reports.saved_views.views import NewView
from domain.reports.warehouse import Warehouse
from domain.tables import Outbox, ReportAccess, ReportDelivery, ReportSubscription, SavedReport
from domain.visits.raw.local_days import DayRules
from tests.domain.reports.saved_views.mail_worlds import (
    AT_EIGHT,
    MONDAY,
    WEEK,
    actor,
    counts,
    fill,
    mailed_view,
    marketer,
    save,
    set_verified,
    subscribe,
    take_role,
    write_due,
)

SITE = MailSite("Meridian", "https://shop.example", "staff@shop.example")


def composed(database):
    """The mail of the one row of the outbox."""
    with database.read_session() as session:
        row = session.scalars(select(Outbox)).one()
        lease = Lease(row.id, row.kind, row.body, row.created_at, 1, "")
        return domain_mail.compose(session, lease, SITE), lease


def state(database, learner_id: int, view_id: int):
    with database.read_session() as session:
        return subscriptions.subscription(session, learner_id, view_id)


@pytest.mark.each_database
def test_a_mail_is_written_at_its_hour_of_monday_and_not_again_until_the_next(database):
    learner_id, _ = mailed_view(database)
    minute = timedelta(minutes=1)
    assert write_due(database, AT_EIGHT - minute) == 0
    assert [write_due(database, AT_EIGHT), write_due(database, AT_EIGHT + minute)] == [1, 0]
    assert write_due(database, AT_EIGHT + WEEK - minute) == 0
    assert write_due(database, AT_EIGHT + WEEK) == 1
    # Three weeks without a worker are one mail.
    assert [write_due(database, AT_EIGHT + 5 * WEEK), write_due(database, AT_EIGHT + 5 * WEEK)] == [1, 0]
    with database.read_session() as session:
        periods = list(session.scalars(select(ReportDelivery.period).order_by(ReportDelivery.period)))
        look = session.scalars(select(ReportAccess).order_by(ReportAccess.id)).first()
    assert periods == [MONDAY, MONDAY + WEEK, MONDAY + 5 * WEEK]
    assert (look.learner_id, look.report, look.row_count) == (learner_id, "sources", 2)
    assert look.query.startswith("from=2026-03-02&to=2026-03-08&compare=previous&by=channel")


def test_the_mail_shows_whole_days_with_those_before_and_has_a_file(database):
    mailed_view(database)
    write_due(database)
    mail, lease = composed(database)
    report = mail.values["report"]
    assert report["period"] == "March 2, 2026 to March 8, 2026, Europe/Berlin"
    assert report["headings"] == ["Channel", "Sessions", "Before", "Visits"]
    assert report["rows"] == [["Search engines", "2", "1", "2"], ["Direct", "1", "0", "1"]]
    assert report["figures"][0] == {"label": "Sessions", "value": "3", "change": "+200% (before: 1)"}
    message = mail_adapter.message_of(mail, "shop@shop.example", mail.to)
    assert message["Subject"] == f"Last week, {report['period']}"
    (file,) = message.iter_attachments()
    assert (file.get_content_type(), file.get_filename()) == ("text/csv", "sources-2026-03-02-2026-03-08.csv")
    assert file.get_content().splitlines()[1].startswith("Search engines,2,1,")
    html = message.get_body(("html",)).get_content()
    assert "https://shop.example/adminlogin?returnTo=/admin/visits/saved/1" in html
    assert "<img" not in html
    # Once the mail server has it, a second delivery of the row sends nothing.
    database.write_sync(view_mails._clear, lease, AT_EIGHT)
    assert composed(database)[0] is None


@pytest.mark.each_database
def test_two_workers_write_one_mail(database, monkeypatch):
    mailed_view(database)
    both = Barrier(2, timeout=20)
    monkeypatch.setattr(
        delivery.fault_points, "hit", lambda name: both.wait() if name == "report_mail.computed" else None
    )
    with ThreadPoolExecutor(2) as threads:
        found = [threads.submit(write_due, database) for _ in range(2)]
    assert sorted(one.result() for one in found) == [0, 1]
    assert counts(database) == (1, 1, 1)


@pytest.mark.parametrize(
    ("take", "reason"),
    [
        (take_role, "role"),
        (lambda database, learner_id: set_verified(database, learner_id, is_verified=False), "email"),
    ],
)
def test_who_may_not_have_it_any_more_gets_nothing_and_is_told_why(database, take, reason):
    learner_id, view_id = mailed_view(database)
    take(database, learner_id)
    assert write_due(database) == 0
    assert counts(database) == (0, 0, 0)
    assert state(database, learner_id, view_id).ended == subscriptions.REASONS[reason]


def test_a_mail_that_waits_is_not_sent_to_who_has_lost_the_role(database):
    learner_id, _ = mailed_view(database)
    assert write_due(database) == 1
    take_role(database, learner_id)
    assert composed(database)[0] is None


def test_a_view_that_is_not_shared_any_more_ends_the_mails_of_others_alone(database):
    owner_id, view_id = mailed_view(database)
    with database.write_session() as session:
        other_id = marketer(session, "Noor")
        session.get_one(SavedReport, view_id).is_shared = True
    subscribe(database, other_id, view_id)
    database.write_as_sync(actor(owner_id), views.change, owner_id, view_id, "Mine", is_shared=False)
    assert write_due(database) == 1
    assert state(database, other_id, view_id).ended == subscriptions.REASONS["view"]
    assert state(database, owner_id, view_id).ended == ""


def test_a_deleted_view_is_not_mailed_until_it_is_brought_back(database):
    learner_id, view_id = mailed_view(database)
    database.write_as_sync(actor(learner_id), views.remove, learner_id, view_id, AT_EIGHT)
    assert write_due(database) == 0
    database.write_as_sync(actor(learner_id), views.bring_back, learner_id, view_id)
    assert write_due(database) == 1


def test_mails_begin_with_the_next_period_and_another_hour_leaves_the_one_of_today(database):
    with database.write_session() as session:
        learner_id = marketer(session)
    fill(database)
    view_id = save(database, learner_id)
    # After the hour of this Monday.
    later = AT_EIGHT + timedelta(hours=1)
    subscribe(database, learner_id, view_id, at=later)
    assert write_due(database, later) == 0
    subscribe(database, learner_id, view_id, MailTimes("week", 20), at=later)
    assert write_due(database, AT_EIGHT + timedelta(hours=12)) == 1
    assert write_due(database, AT_EIGHT + WEEK) == 0
    subscribe(database, learner_id, view_id, MailTimes("week", 9), at=AT_EIGHT + WEEK)
    assert write_due(database, AT_EIGHT + WEEK + timedelta(hours=2)) == 1


@pytest.mark.parametrize(
    ("frequency", "hour", "at", "day"),
    [
        ("week", 8, AT_EIGHT, MONDAY),
        ("week", 8, AT_EIGHT - timedelta(seconds=1), MONDAY - WEEK),
        # Sunday is over at 23:00 UTC.
        ("week", 0, datetime(2026, 3, 8, 23, tzinfo=UTC), MONDAY),
        ("month", 8, datetime(2026, 3, 1, 7, tzinfo=UTC), date(2026, 3, 1)),
        ("month", 8, datetime(2026, 3, 1, 6, 59, tzinfo=UTC), date(2026, 2, 1)),
        ("month", 0, datetime(2026, 1, 1, 12, tzinfo=UTC), date(2026, 1, 1)),
    ],
)
def test_the_last_day_on_which_a_mail_was_due(frequency, hour, at, day):
    assert subscriptions.due_day(frequency, hour, "Europe/Berlin", at) == day


@pytest.mark.parametrize(
    ("zone", "day", "hour", "expected"),
    [
        # Clocks of Berlin go from 2:00 to 3:00 on Sunday 29 March: the Monday after has its eight o'clock earlier.
        ("Europe/Berlin", date(2026, 3, 23), 8, datetime(2026, 3, 23, 7, tzinfo=UTC)),
        ("Europe/Berlin", date(2026, 3, 30), 8, datetime(2026, 3, 30, 6, tzinfo=UTC)),
        # Skipped: it comes at the moment of the change.
        ("Europe/Berlin", date(2026, 3, 29), 2, datetime(2026, 3, 29, 1, tzinfo=UTC)),
        # Twice: the first time counts.
        ("America/New_York", date(2026, 11, 1), 1, datetime(2026, 11, 1, 5, tzinfo=UTC)),
    ],
)
def test_the_moment_of_an_hour_on_days_when_clocks_change(zone, day, hour, expected):
    assert subscriptions.due_at(day, hour, zone) == expected


def test_a_mail_on_a_day_with_an_hour_twice_is_written_once(database):
    with database.write_session() as session:
        learner_id = marketer(session)
    view_id = save(database, learner_id)
    start = datetime(2026, 10, 15, tzinfo=UTC)
    subscribe(database, learner_id, view_id, MailTimes("month", 1), at=start)
    rules = DayRules("America/New_York")
    # 1:00 is at 5:00 and at 6:00 UTC.
    times = [datetime(2026, 11, 1, hour, tzinfo=UTC) for hour in (4, 5, 6, 7)]
    assert [write_due(database, at, rules) for at in times] == [0, 1, 0, 0]


FILTERED = NewView("Filtered", "sources", "by=source&f=channel:search&f=agent:Chrome", "last-7", False)


def test_a_report_whose_files_are_missing_waits_and_takes_no_others_with_it(database, tmp_path):
    learner_id, _ = mailed_view(database)
    subscribe(database, learner_id, save(database, learner_id, FILTERED))
    assert write_due(database) == 1
    assert counts(database) == (1, 1, 1)
    # Nor are they in this folder.
    assert write_due(database, warehouse=Warehouse(tmp_path / "other", 256)) == 0


def test_a_report_with_filters_is_mailed_from_the_files_of_days(database, tmp_path):
    with database.write_session() as session:
        learner_id = marketer(session)
    warehouse = Warehouse(tmp_path / "analytics", 256)
    fill(database, warehouse)
    subscribe(database, learner_id, save(database, learner_id, FILTERED))
    assert write_due(database, warehouse=warehouse) == 1
    report = composed(database)[0].values["report"]
    assert (report["headings"][:2], report["rows"][0][:2]) == (["Source", "Sessions"], ["Google", "2"])


def test_a_dimension_that_is_gone_is_said_and_the_rest_is_mailed(database):
    _, view_id = mailed_view(database)
    with database.write_session() as session:
        session.get_one(SavedReport, view_id).query = "by=planet&compare=previous&f=moon%3Aio"
    assert write_due(database) == 1
    report = composed(database)[0].values["report"]
    assert report["notes"][0].endswith("so it shows the usual values: f, by.")
    assert report["rows"][0] == ["Search engines", "2", "1", "2"]


def test_a_report_that_is_gone_is_said(database):
    _, view_id = mailed_view(database)
    with database.write_session() as session:
        session.get_one(SavedReport, view_id).report = "planets"
    assert write_due(database) == 1
    mail = composed(database)[0]
    assert mail.values["report"]["empty"].startswith("This report does not exist any more.")
    assert mail.files == ()


@pytest.mark.each_database
def test_the_end_of_an_account_takes_its_views_and_mails_along(database):
    owner_id, view_id = mailed_view(database)
    with database.write_session() as session:
        other_id = marketer(session, "Noor")
        session.get_one(SavedReport, view_id).is_shared = True
    subscribe(database, other_id, view_id)
    own = save(database, other_id)
    with database.write_session() as session:
        session.get_one(SavedReport, own).query = "by=day&f=student%3As-7kq2-m9xd&f=partner%3As-7kq2"
    assert write_due(database) == 2
    with database.write_session() as session:
        views.erase(session, owner_id, "s-7kq2-m9xd")
        assert list(session.scalars(select(SavedReport.id))) == [own]
        assert session.get_one(SavedReport, own).query == "by=day&f=student%3A%28erased%29&f=partner%3As-7kq2"
        assert list(session.scalars(select(ReportSubscription.id))) == []
        assert list(session.scalars(select(ReportDelivery.period))) == []


@pytest.mark.each_database
def test_old_rows_go_and_the_last_period_stays(database):
    mailed_view(database)
    for weeks in (0, 1, 12):
        assert write_due(database, AT_EIGHT + weeks * WEEK) == 1
    assert database.write_sync(delivery.delete_old, AT_EIGHT + 12 * WEEK) == 2
    assert counts(database)[0] == 1
    assert write_due(database, AT_EIGHT + 12 * WEEK) == 0
