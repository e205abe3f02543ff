"""`python -m host complete`: a course for a learner by hand."""

from argparse import Namespace
from dataclasses import replace

import pytest
from sqlalchemy import select

from config.settings import Settings
from domain.tables import Enrolment, Learner
from host.cli.learning import complete
from tests.domain.learning import quiz_world


@pytest.fixture
def shop(sqlite_database, tmp_path) -> Settings:
    with sqlite_database.write_session() as session:
        world = quiz_world.fill(session)
        session.get_one(Learner, world.learner_id).student_number = "s-7kq2-m9xd"
    return replace(Settings.from_environment({}), var_dir=tmp_path, database=None)


def run(shop: Settings, student: str = "s-7kq2-m9xd", slug: str = "vat-basics", reason: str = "Exam on paper") -> int:
    return complete.run(Namespace(student=student, slug=slug, reason=reason), shop)


def test_the_course_is_completed_once(shop, sqlite_database, capsys):
    assert [run(shop), run(shop, reason="Again")] == [0, 0]
    first, second = capsys.readouterr().out.splitlines()
    assert first == "vat-basics is completed for S-7KQ2-M9XD now."
    assert second.startswith("vat-basics is completed for S-7KQ2-M9XD since ")
    assert second.endswith(" UTC: nothing changes.")
    with sqlite_database.read_session() as session:
        assert session.scalars(select(Enrolment.completion_reason)).one() == "Exam on paper"


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ({"student": "S-0"}, "There is no learner S-0."),
        ({"slug": "nothing"}, "There is no course nothing."),
        ({"reason": " "}, "Give a reason in at most 500 characters."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(shop, capsys, about, text):
    assert run(shop, **about) == 1
    assert capsys.readouterr().err == f"{text}\n"
