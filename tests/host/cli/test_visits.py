"""`python -m host visits` and `python -m host dev …`: looking at the visits of a running site."""

import argparse
import json
from datetime import UTC, datetime, timedelta

import pytest

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.visits import visits as rules
from host.cli import dev, visits

SESSION = "0b9c5f2e-1111-4222-8333-444455556666"


def run(command, settings, *words) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words), settings)


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
    return Settings(var_dir=tmp_path)


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
    assert run(visits, settings, "--touches", "7") == 0
    shown = capsys.readouterr().out
    assert ("/shop?n=2" in shown, "not yet" in shown, "news" in shown, "/shop?n=3" in shown) == (
        True,
        True,
        True,
        False,
    )
    assert run(visits, settings, "--touches", "8") == 0
    assert capsys.readouterr().out == "No touchpoints in the last 90 days, 0:00:00.\n"
