"""Lists that are counted without the tables of their names count the rows that they show."""

import shutil

import pytest
from sqlalchemy import URL, func, select

from domain.database.database import Database
from tests.host.pages import LISTS

COUNTED = {page_id: entry.spec.source for page_id, entry in LISTS.items() if entry.spec.source.counted is not None}


@pytest.mark.parametrize("page_id", COUNTED)
def test_the_counted_rows_meet_the_conditions_of_the_shown_ones(page_id):
    shown, counted = COUNTED[page_id].rows.whereclause, COUNTED[page_id].counted.whereclause
    assert (shown is None) == (counted is None)
    assert shown is None or shown.compare(counted)


def test_no_joined_table_leaves_a_row_out_or_repeats_it(todays_demo, tmp_path):
    """All rows of the demo shop, of every organisation."""
    file = shutil.copy(todays_demo, tmp_path / "coursefront.db")
    database = Database(URL.create("sqlite", database=str(file)))
    with database.read_session() as session:

        def number(source, rows) -> int:
            keys = rows.with_only_columns(source.key, maintain_column_froms=True)
            return session.scalar(select(func.count()).select_from(keys.subquery()))

        shown = {page_id: number(source, source.rows) for page_id, source in COUNTED.items()}
        counted = {page_id: number(source, source.counted) for page_id, source in COUNTED.items()}
    database.engine.dispose()
    assert shown == counted
    assert shown.keys() >= {"admin-orders", "admin-audit", "organization-seats"}
    assert min(shown["admin-orders"], shown["admin-courses"], shown["organization-seats"]) > 0
