"""What `scripts/bench soak` counts as wrong: negative controls of how it judges answers, rows and files."""

import shutil

import pytest
from sqlalchemy import create_engine, text

from domain.learning.files import path_of, write_content
from tests.support.faults.answers import Answer, Answers, Window
from tests.support.faults.stored_state import (
    file_differences,
    named_files,
    read_tables,
    table_differences,
)

AWAY = Window("redis killed", 100.0, stalled_s=3.0, recovers_s=10.0, ended=101.0)
HOST = Window("host killed", 100.0, stalled_s=6.0, breaks=True, recovers_s=10.0, ended=101.0)

# Name -> (answer, windows, what is said).
JUDGED = {
    "in time": (Answer("page", "GET /", 50.0, 3.9, 200), [], []),
    "late": (Answer("page", "GET /", 50.0, 4.1, 200), [], ["1 x page GET / (no fault): late"]),
    "late because of a fault": (Answer("page", "GET /", 99.0, 6.9, 200), [AWAY], []),
    "later than a fault explains": (
        Answer("page", "GET /", 99.0, 7.1, 200),
        [AWAY],
        ["1 x page GET / (redis killed): late"],
    ),
    "refused without a fault": (
        Answer("page", "GET /", 50.0, 0.1, 503),
        [AWAY],
        ["1 x page GET / (no fault): status 503"],
    ),
    "refused while a part is away": (Answer("page", "GET /", 100.5, 0.1, 503), [AWAY], []),
    "refused while it recovers": (Answer("page", "GET /", 110.9, 0.1, 503), [AWAY], []),
    "refused after that": (Answer("page", "GET /", 111.1, 0.1, 503), [AWAY], ["1 x page GET / (no fault): status 503"]),
    "an error, even while a part is away": (
        Answer("page", "GET /", 100.5, 0.1, 500),
        [AWAY],
        ["1 x page GET / (redis killed): status 500"],
    ),
    "broken by the host's end": (Answer("page", "GET /", 100.5, 0.1, 0, "ServerDisconnectedError"), [HOST], []),
    "broken by another part": (
        Answer("page", "GET /", 100.5, 0.1, 0, "ServerDisconnectedError"),
        [AWAY],
        ["1 x page GET / (redis killed): ServerDisconnectedError"],
    ),
    "an incomplete page": (
        Answer("page", "GET /", 100.5, 0.1, 200, "no <h1"),
        [HOST],
        ["1 x page GET / (host killed): no <h1"],
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_an_answer_is_wrong_unless_the_fault_of_its_moment_allows_it(name):
    answer, windows, said = JUDGED[name]
    assert Answers(all=[answer], windows=windows).wrong() == said


CHANGES = {
    "nothing": ("SELECT 1", []),
    "a removed row": ("DELETE FROM one WHERE id = 2", ["one has 1 rows instead of 2"]),
    "an added row": ("INSERT INTO one VALUES (3, 'c')", ["one has 3 rows instead of 2"]),
    "a changed value": ("UPDATE one SET name = 'x' WHERE id = 2", ["one has other rows"]),
    "two values exchanged": ("UPDATE one SET id = CASE id WHEN 1 THEN 12 ELSE 11 END", ["one has other rows"]),
    "a removed table": ("DROP TABLE one", ["table one is missing"]),
    "an added table": ("CREATE TABLE two (id INTEGER)", ["table two is new"]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_difference_between_two_databases_is_found(name):
    change, said = CHANGES[name]
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE one (id INTEGER, name TEXT)"))
        connection.execute(text("INSERT INTO one VALUES (1, 'a'), (2, 'b')"))
        before = read_tables(connection)
        connection.execute(text(change))
        assert table_differences(before, read_tables(connection)) == said
    engine.dispose()


def test_a_file_that_is_missing_or_changed_is_found(database, tmp_path):
    one, two = (write_content(tmp_path, content) for content in (b"one", b"two"))
    with database.read_session() as session:
        assert named_files(session.connection()) == {}
    expected = {one: 3, two: 3}
    assert file_differences(expected, tmp_path) == []
    path_of(tmp_path, one).write_bytes(b"ONE")
    path_of(tmp_path, two).unlink()
    assert file_differences(expected, tmp_path) == [
        f"file {two[:12]} is missing",
        f"file {one[:12]} has other contents",
    ]
    shutil.rmtree(tmp_path)
    assert len(file_differences(expected, tmp_path)) == 2
