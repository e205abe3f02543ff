"""`python -m host attribution replay` and `explain`."""

import json

import pytest
from sqlalchemy import delete, select, update

from config.settings import Settings
from domain.tables import CreditDay, OrderCredit, OrderPath, Visit
from host.cli import attribution
from tests.domain.reports.attribution import worlds
from tests.domain.reports.attribution.worlds import stored
from tests.host.cli import running


@pytest.fixture
def week(sqlite_database):
    with sqlite_database.write_session() as session:
        week = worlds.fill(session)
    worlds.build(sqlite_database)
    return week


@pytest.fixture
def settings(week, tmp_path) -> Settings:
    return Settings(var_dir=tmp_path)


def run(settings, *words) -> int:
    return running.run(attribution, settings, *words)


def digest(capsys) -> str:
    return capsys.readouterr().out.strip().splitlines()[-1].removeprefix("SHA-256 ")


def test_a_replay_prints_one_digest_however_often_it_is_done(settings, sqlite_database, capsys):
    assert run(settings, "replay") == 0
    first, before = digest(capsys), stored(sqlite_database)
    with sqlite_database.write_session() as session:
        session.execute(delete(OrderCredit))
        session.execute(delete(CreditDay))
    assert run(settings, "replay") == 0
    assert (digest(capsys), len(first)) == (first, 64)
    assert stored(sqlite_database) == before
    assert run(settings, "replay", "--from", "2026-03-01", "--to", "2026-03-01", "--json") == 0
    one_day = json.loads(capsys.readouterr().out)
    assert (one_day["orders"], one_day["from"], one_day["to"]) == (3, "2026-03-01", "2026-03-01")
    assert one_day["sha256"] != first
    assert {(row["channel"], row["net"], row["orders"]) for row in one_day["channels"] if row["model"] == "last"} == {
        ("email", "55.90", "1.000"),
        ("direct", "0.00", "1.000"),
        ("(not measured)", "90", "1.000"),
    }


def test_the_check_writes_nothing_and_names_what_is_stored_otherwise(settings, week, sqlite_database, capsys):
    assert run(settings, "replay", "--check") == 0
    with sqlite_database.write_session() as session:
        session.execute(update(OrderCredit).where(OrderCredit.order_id == week.mixed.id).values(amount_minor=1))
    before = stored(sqlite_database)
    capsys.readouterr()
    assert run(settings, "replay", "--check") == 1
    assert f"2026-03-01: other credits of order {week.mixed.id} are stored than path and sales give" in (
        capsys.readouterr().err
    )
    assert stored(sqlite_database) == before


def test_another_window_is_shown_and_not_written(settings, sqlite_database, capsys):
    before = stored(sqlite_database)
    assert run(settings, "replay", "--window", "1", "--half-life", "1", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["window"], answer["halfLife"]) == (1, 1)
    assert stored(sqlite_database) == before


@pytest.mark.parametrize(
    "words",
    [("--check", "--window", "7"), ("--check", "--half-life", "7"), ("--from", "2026-03-02", "--to", "2026-03-01")],
)
def test_arguments_that_exclude_each_other_are_refused(settings, capsys, words):
    assert run(settings, "replay", *words) == 2
    assert capsys.readouterr().err.strip()


@pytest.mark.parametrize("number", ["0", "-1", "x", "100000"])
def test_a_window_is_a_number_of_days(settings, capsys, number):
    with pytest.raises(SystemExit):
        run(settings, "replay", "--window", number)
    assert "--window" in capsys.readouterr().err


def test_an_order_is_explained_by_its_code_and_by_its_name_in_the_report(settings, week, sqlite_database, capsys):
    assert run(settings, "explain", week.mixed.code, "--json") == 0
    by_code = json.loads(capsys.readouterr().out)
    assert run(settings, "explain", by_code["name"], "--json") == 0
    assert json.loads(capsys.readouterr().out) == by_code
    assert [(row["channel"], row["visit"], row["weights"]["linear"]) for row in by_code["path"]] == [
        ("partner", "/d?k=linker&utm_source=chamber", 1),
        ("email", "/?utm_source=news&utm_medium=email&utm_campaign=march", 1),
        ("direct", "/checkout", 0),
    ]
    assert [row["net"]["first"] for row in by_code["path"]] == ["55.90", "0.00", "0.00"]
    assert run(settings, "explain", week.mixed.code) == 0
    shown = capsys.readouterr().out
    assert "chamber" in shown
    assert "27.95" in shown


def test_a_visit_that_is_deleted_is_said_to_be(settings, week, sqlite_database, capsys):
    with sqlite_database.write_session() as session:
        session.execute(delete(Visit))
    assert run(settings, "explain", week.mixed.code, "--json") == 0
    assert {row["missing"] for row in json.loads(capsys.readouterr().out)["path"]} == {"deleted"}


def test_an_order_that_nothing_led_to_is_explained_too(settings, week, capsys):
    assert run(settings, "explain", week.disputed.code) == 0
    assert "Nothing that was counted led to it" in capsys.readouterr().out


def test_there_is_no_other_order(settings, sqlite_database, capsys):
    assert run(settings, "explain", "NOPE") == 1
    assert "There is no paid order NOPE" in capsys.readouterr().err
    with sqlite_database.read_session() as session:
        assert session.scalars(select(OrderPath.ref)).all()


def test_an_empty_shop_has_nothing_to_replay(sqlite_database, tmp_path, capsys):
    assert run(Settings(var_dir=tmp_path), "replay") == 0
    assert "0 orders, 0 credits" in capsys.readouterr().out
