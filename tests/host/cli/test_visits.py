"""`python -m host visits` and `python -m host dev …`: looking at the visits of a running site."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.tables import Visit, VisitDay
from domain.visits import visits as rules
from domain.visits.days import storage
from domain.visits.days.build import DayBuilder
from host.cli import dev, visits
from tests.host.cli.running import run
from tests.support import factories

SESSION = "0b9c5f2e-1111-4222-8333-444455556666"


def row(number: int, at: datetime, **about) -> dict:
    event = f"00000000-0000-4000-8000-{number:012}"
    return rules.NewVisit(
        event, at.isoformat(), session_id=SESSION, url=f"/shop?n={number}", page="shop", **about
    ).as_dict()


@pytest.fixture
def settings(sqlite_database, tmp_path) -> Settings:
    now = datetime.now(UTC)
    old, new = row(1, now - timedelta(hours=5)), row(2, now, claimed_id=7, campaign={"utm_source": "news"})
    with sqlite_database.write_session() as session:
        rules.store_visits(session, [old, new], now)
    return Settings(var_dir=tmp_path, visits_keep_days=90)


def test_the_visits_of_a_session_are_counted(settings, capsys):
    assert run(dev, settings, "trace-count", SESSION) == 0
    assert run(dev, settings, "trace-count", "another") == 0
    assert capsys.readouterr().out == "2\n0\n"


def test_the_visits_of_a_session_are_shown_with_the_names_of_the_specification(settings, capsys):
    assert run(dev, settings, "traces", SESSION) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["Url"], first["AAUserID"], first["ClaimedAAUserID"]) == ("/shop?n=1", 0, 0)
    assert (second["Url"], second["ClaimedAAUserID"], second["Campaign"]) == ("/shop?n=2", 7, {"utm_source": "news"})
    assert {"EventID", "SessionID", "CouponID", "Stunum", "SpecialCouponID", "Class", "Source"} <= first.keys()
    assert "LoginEmail" not in first


def test_the_pids_of_a_running_site_are_those_its_supervisor_wrote(settings, capsys):
    (settings.var_dir / "pids.json").write_text('{"host": [7, 8], "redis": []}')
    assert run(dev, settings, "pids") == 0
    assert json.loads(capsys.readouterr().out) == {"host": [7, 8], "redis": []}


def test_without_a_site_there_are_no_pids(settings, capsys):
    assert run(dev, settings, "pids") == 1
    assert capsys.readouterr().err.startswith("No site runs on ")


def test_the_helpers_of_development_refuse_in_production(tmp_path, capsys):
    assert run(dev, Settings(app_env="production", var_dir=tmp_path), "trace-count", SESSION) == 2
    assert capsys.readouterr() == ("", "python -m host dev is for development; APP_ENV is production.\n")


def test_the_last_visits_are_a_table_with_the_newest_first(settings, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert run(visits, settings, "--since", "1d") == 0
    shown = capsys.readouterr().out
    assert shown.index("/shop?n=2") < shown.index("/shop?n=1")
    assert "(7)" in shown
    assert "news" in shown


def test_the_table_is_readable_in_80_columns(settings, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    now = datetime.now(UTC)
    about = {"coupon_id": "SPRING", "referrer": "https://search.example/", "visitor_class": "suspect"}
    with Database(database_url(settings.database, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [{**row(3, now, **about), "url": "/course/[b]?page=1"}], now)
    assert run(visits, settings, "--since", "1d") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    shown = "\n".join(lines)
    for text in (
        "suspect",
        "/course/[b]?page=1",
        "https://search.example/",
        "coupon SPRING",
        SESSION[:8],
        f"{now:%m-%d %H:}",
    ):
        assert text in shown
    assert "…" not in shown


def test_visits_and_touchpoints_are_written_as_csv(settings, capsys):
    now = datetime.now(UTC)
    about = {"learner_id": 7, "campaign": {"utm_source": "news", "utm_campaign": "=1+1"}}
    with Database(database_url(settings.database, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [row(3, now, **about)], now)
    assert run(visits, settings, "--since", "1h", "--csv") == 0
    text = capsys.readouterr().out
    assert text[0] == "\ufeff"
    newest, older = csv.DictReader(io.StringIO(text[1:], newline=""))
    assert (newest["url"], newest["learner"], newest["claimed_learner"]) == ("/shop?n=3", "7", "")
    assert (newest["utm_campaign"], newest["session"]) == ("'=1+1", SESSION)
    assert (older["url"], older["claimed_learner"], older["utm_source"]) == ("/shop?n=2", "7", "news")
    compute_days(settings, now)
    assert run(visits, settings, "--touches", "7", "--csv") == 0
    touch, _ = csv.DictReader(io.StringIO(capsys.readouterr().out[1:], newline=""))
    assert (touch["landing"], touch["signed_in"], touch["source"], touch["coupon"]) == (
        "/shop",
        "not yet",
        "news",
        "(none)",
    )
    assert run(visits, settings, "--touches", "8", "--csv") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_only_visits_of_the_period_are_shown(settings, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert run(visits, settings, "--since", "1h") == 0
    shown = capsys.readouterr().out
    assert ("/shop?n=2" in shown, "/shop?n=1" in shown) == (True, False)


def test_without_visits_it_says_so(sqlite_database, tmp_path, capsys):
    assert run(visits, Settings(var_dir=tmp_path), "--since", "30m") == 0
    assert capsys.readouterr().out == "No visits in the last 0:30:00.\n"


@pytest.mark.parametrize("period", ["", "1", "h", "1w", "-1h", "1.5h", "999999d"])
def test_a_malformed_period_is_refused(settings, period, capsys):
    with pytest.raises(SystemExit):
        run(visits, settings, f"--since={period}")
    assert "is not a period such as 30m, 1h or 7d" in capsys.readouterr().err


def test_a_learners_touchpoints_are_a_table(settings, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    now = datetime.now(UTC)
    with Database(database_url(settings.database, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [row(3, now + timedelta(seconds=1), learner_id=7)], now)
    compute_days(settings, now)
    assert run(visits, settings, "--touches", "7") == 0
    shown = capsys.readouterr().out
    assert [text in shown for text in ("/shop", "not yet", "campaign", "news / - / -", "coupon")] == [True] * 4 + [
        False
    ]
    assert run(visits, settings, "--touches", "8") == 0
    assert capsys.readouterr().out == "No touchpoints that a day has counted in the last 90 days, 0:00:00.\n"


def compute_days(settings, now) -> None:
    """Compute the days of the visits."""
    database = Database(database_url(settings.database, settings.var_dir))
    DayBuilder(database, settings.day_rules, lambda: now + timedelta(minutes=1)).build_due()
    database.engine.dispose()


def rollup(settings, *words) -> int:
    return run(visits, settings, "rollup", *words)


def test_days_of_visits_are_computed_and_checked(settings, capsys):
    today = datetime.now(UTC).date()
    first = str(today - timedelta(days=1))
    assert rollup(settings, "--from", first) == 0
    assert rollup(settings, "--from", first, "--to", str(today), "--check") == 0
    assert capsys.readouterr().out == "2 of 2 days were computed.\n2 of 2 days are right.\n"


def test_a_check_names_the_day_of_a_visit_that_is_not_counted(settings, capsys):
    now = datetime.now(UTC)
    today = str(now.date())
    assert rollup(settings, "--from", today) == 0
    with Database(database_url(None, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [row(3, now)], now)
    capsys.readouterr()
    assert rollup(settings, "--from", today, "--check") == 1
    assert capsys.readouterr().out == (f"{today}: other figures stored than the visits give\n0 of 1 days are right.\n")


def test_a_day_that_another_process_computes_is_named(settings, capsys):
    now = datetime.now(UTC)
    today = now.date()
    with Database(database_url(None, settings.var_dir)).write_session() as session:
        assert storage.take(session, storage.DayLease(today, "other", now))
    assert rollup(settings, "--from", str(today)) == 1
    assert capsys.readouterr().out == f"{today}: computed by another process now\n0 of 1 days were computed.\n"


@pytest.mark.parametrize("words", [("--from", "2026-11-02", "--to", "2026-11-01"), ("--from", "yesterday"), ()])
def test_days_that_are_none_change_nothing(settings, words):
    try:
        status = rollup(settings, *words)
    except SystemExit as error:
        status = error.code
    assert status == 2


@pytest.fixture
def old(settings) -> str:
    """The day of a visit of 200 days ago; the one after it is computed too."""
    then = datetime.now(UTC) - timedelta(days=200)
    with Database(database_url(None, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [row(9, then)], then)
    return str(then.date())


def test_old_visits_are_deleted_once_their_day_is_final(settings, old, capsys):
    assert run(visits, settings, "retain", "--dry-run") == 0
    expected = "1 visits, 0 touchpoints and learners of days, 0 figures by the hour and 0 searches"
    assert capsys.readouterr().out == f"1 days would become final.\n{expected} would be deleted.\n"
    assert run(visits, settings, "retain") == 0
    shown = capsys.readouterr()
    assert shown.out == f"1 days became final.\n{expected} were deleted.\n"
    assert "Days become final: 100 %\nDeleting visits: 100 %\n" in shown.err
    assert rollup(settings, "--from", old, "--to", old) == 0
    final = "1 days are final and stay as they are: their visits are deleted or will be.\n"
    assert capsys.readouterr().out == f"{final}0 of 1 days were computed.\n"
    assert rollup(settings, "--from", old, "--to", old, "--check") == 0


def test_a_day_that_was_changed_stays_and_the_status_says_so(settings, old, capsys):
    assert rollup(settings, "--from", old, "--to", old) == 0
    database = Database(database_url(None, settings.var_dir))
    with database.write_session() as session:
        session.execute(update(VisitDay).values(visits=7))
    capsys.readouterr()
    assert run(visits, settings, "retain", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    kept = [{"site": 0, "day": old, "reason": "changed"}]
    assert (found["final"], found["open"], found["visits"]) == ([], kept, 0)
    assert run(visits, settings, "retain") == 1
    why = "its stored figures are not those that were computed. `visits rollup` computes it from its visits."
    assert f"{old} stays: {why}\n" in capsys.readouterr().out
    assert rollup(settings, "--from", old, "--to", old, "--check") == 1
    assert rollup(settings, "--from", old, "--to", old) == 0
    assert run(visits, settings, "retain") == 0


def test_visits_are_kept_for_ever_without_a_period(settings, old, capsys):
    forever = replace(settings, visits_keep_days=0, touchpoints_keep_days=0)
    assert run(visits, forever, "retain", "--json") == 0
    assert (json.loads(capsys.readouterr().out)["final"], old) == ([], old)


def test_late_visits_are_named(settings, old, capsys):
    assert run(visits, settings, "retain") == 0
    then = datetime.fromisoformat(old).replace(tzinfo=UTC)
    with Database(database_url(None, settings.var_dir)).write_session() as session:
        rules.store_visits(session, [row(8, then), row(7, then)], then)
    capsys.readouterr()
    assert run(visits, settings, "retain") == 0
    assert capsys.readouterr().out.endswith(f"{old}: 2 visits came after it was final.\n")


def test_a_learner_is_taken_out_of_visits(settings, capsys):
    now = datetime.now(UTC)
    database = Database(database_url(None, settings.var_dir))
    with database.write_session() as session:
        ada = factories.learner(session)
        about = {"learner_id": ada.id, "address": "192.0.2.0/24"}
        rules.store_visits(session, [row(3, now, **about), row(4, now, student_number=ada.student_number.upper())], now)
        learner = ada.id
    assert run(visits, settings, "erase", str(learner)) == 0
    assert capsys.readouterr().out == f"Learner {learner} is in no visit any more.\n"
    with database.read_session() as session:
        stored = session.execute(select(Visit.learner_id, Visit.session_id, Visit.address, Visit.student_number)).all()
    assert sorted(map(tuple, stored[2:])) == [(None, "", "", ""), (None, SESSION, "", "(erased)")]


def test_an_unknown_learner_is_named(settings, capsys):
    assert run(visits, settings, "erase", "77") == 1
    assert capsys.readouterr().err == "There is no learner 77: `visits` shows the number in its column Learner.\n"
