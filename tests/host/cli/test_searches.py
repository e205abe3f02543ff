"""`python -m host searches`: the log of queries for those who run the shop."""

from datetime import UTC, datetime

import pytest

from config.settings import Settings
from domain.search import query_log
from host.cli import searches
from tests.host.cli import running


@pytest.fixture
def settings(sqlite_database, tmp_path) -> Settings:
    with sqlite_database.write_session() as session:
        for query, results, answer in (("vat", 4, "exact"), ("vat", 4, "exact"), ("[red]nfts", 0, "none")):
            query_log.log_query(session, query, results, answer, datetime.now(UTC))
    return Settings(var_dir=tmp_path)


def told(settings, capsys, *words) -> str:
    assert running.run(searches, settings, *words) == 0
    return capsys.readouterr().out


def test_queries_are_listed_with_how_often_and_how_many_were_found(settings, capsys):
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in told(settings, capsys).splitlines()]
    assert [row[:4] for row in rows if row] == [["vat", "2", "4", "exact"], ["[red]nfts", "1", "0", "none"]]


def test_queries_without_results_can_be_listed_alone(settings, capsys):
    said = told(settings, capsys, "--nothing")
    assert ("[red]nfts" in said, "vat" in said) == (True, False)


def test_without_searches_it_says_so(sqlite_database, tmp_path, capsys):
    assert told(Settings(var_dir=tmp_path), capsys) == "No such searches in the last 7 days, 0:00:00.\n"
