"""A mail of a saved view is written once for a period, wherever the process that writes it is killed."""

import signal

import pytest

from tests.domain.reports.saved_views import killed_process
from tests.domain.reports.saved_views.mail_worlds import AT_EIGHT, WEEK, counts, mailed_view, write_due


def kill(database, children, point: str, is_guarded: bool = True) -> None:
    url = database.url.render_as_string(hide_password=False)
    code = children.run(killed_process.run, url=url, point=point, is_guarded=is_guarded)
    assert code == -signal.SIGKILL


@pytest.mark.faults
@pytest.mark.each_database
@pytest.mark.parametrize(
    ("point", "written", "rest"),
    [("report_mail.computed", 0, 1), ("report_mail.written", 0, 1), ("report_mail.committed", 1, 0)],
)
def test_a_killed_run_leaves_a_whole_mail_or_none(database, children, point, written, rest):
    mailed_view(database)
    kill(database, children, point)
    assert counts(database) == (written, written, written)
    assert [write_due(database), write_due(database)] == [rest, 0]
    assert counts(database) == (1, 1, 1)
    assert write_due(database, AT_EIGHT + WEEK) == 1


@pytest.mark.faults
def test_a_row_of_the_outbox_that_is_committed_by_itself_sends_a_second_mail(database, children):
    """The negative control."""
    mailed_view(database)
    kill(database, children, "report_mail.written", is_guarded=False)
    assert write_due(database) == 1
    assert counts(database)[1] == 2
