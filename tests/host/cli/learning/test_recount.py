"""`python -m host recount`: the rules as they are now, for one course or all."""

from argparse import Namespace
from dataclasses import replace

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.learning import recount
from domain.tables import CompletionRuleRow, Enrolment
from host.cli.learning import recount as command
from tests.domain.learning import quiz_world
from tests.support.factories import NOON


@pytest.fixture
def shop(sqlite_database, tmp_path):
    """Settings of a shop where a learner has all that a lowered rule asks for."""
    with sqlite_database.write_session() as session:
        world = quiz_world.fill(session)
        world.send(quiz_world.RIGHT)
        facts = {"required_percent": 50, "quizzes": "passed", "pass_mark": 70, "changed_at": NOON}
        session.add(CompletionRuleRow(course_id=world.course_id, version=2, **facts))
    return replace(Settings.from_environment({}), var_dir=tmp_path, database=None)


def run(shop: Settings, slug: str = "") -> int:
    return command.run(Namespace(slug=slug), shop)


def test_a_lowered_rule_completes_once(shop, sqlite_database, capsys):
    assert [run(shop), run(shop, "vat-basics")] == [0, 0]
    assert capsys.readouterr().out.splitlines() == [
        "1 enrolments of 1 courses were counted; 1 are completed now.",
        "1 enrolments of 1 courses were counted; 0 are completed now.",
    ]
    with sqlite_database.read_session() as session:
        assert session.scalars(select(Enrolment.completed_at)).one() is not None


def test_an_unknown_course_is_named(shop, capsys):
    assert run(shop, "nothing") == 1
    assert capsys.readouterr().err == "There is no course nothing.\n"


def test_many_enrolments_are_counted_in_slices(shop, capsys, monkeypatch):
    monkeypatch.setattr(recount.recount, "__defaults__", (1,))
    assert run(shop) == 0
    assert capsys.readouterr().out == "1 enrolments of 1 courses were counted; 1 are completed now.\n"
