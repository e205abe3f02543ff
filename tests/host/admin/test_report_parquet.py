"""Reports as Parquet: the rows of the CSV file with types, read back by DuckDB."""

import csv
import io
from datetime import timedelta

import duckdb
import pytest
from sqlalchemy import select

from domain.reports.all_reports import SOURCES
from domain.reports.warehouse import DownloadColumn, Warehouse, WarehouseUnavailable
from domain.tables import AuditEvent, ReportAccess
from host.loaders.ui.csv_rows import BOM, safe_text
from host.reports import parquet_file
from host.warehouse import WAREHOUSE
from tests.domain.reports.report_worlds import MIDNIGHT, NOON, compute, sell
from tests.domain.visits.days.worlds import add, visit
from tests.host.admin.test_visit_reports import sent_by, staff
from tests.support import factories

PERIOD = "from=2026-03-01&to=2026-03-06"
CAMPAIGNS = ("=cmd|' /c calc'!a0", "春の講座", "🎓 spring", "مرحبا", "+49")
pytestmark = pytest.mark.asyncio(loop_scope="function")


def read(body, folder):
    """Names, types and rows of a file."""
    path = folder / "downloaded.parquet"
    path.write_bytes(body)
    with duckdb.connect() as engine:
        found = engine.execute("SELECT * FROM read_parquet(?)", [str(path)])
        types = {name: str(kind) for name, kind, *_ in found.description}
        return types, found.fetchall()


def fill(site):
    with site.db.write_session() as session:
        for number, name in enumerate(CAMPAIGNS):
            url = f"/?utm_campaign=a&utm_source={name.replace(' ', '%20').replace('+', '%2B')}"
            add(session, visit(number, NOON + timedelta(minutes=number), url, f"s{number}"))
        sell(session, factories.learner(session, "Ada").id, "A", NOON, {"unit_minor": 1_999})
    compute(site.db, MIDNIGHT + timedelta(days=4))


async def both(site, person, path, folder):
    """Types and rows of the Parquet file, and the lines of the CSV file without its heading."""
    separator = "&" if "?" in path else "?"
    parquet = await site.get(f"/csv{path}{separator}as=parquet", **sent_by(person))
    assert (parquet.status, parquet.headers["Content-Type"]) == (200, "application/vnd.apache.parquet")
    assert parquet.headers["Content-Disposition"].endswith('.parquet"')
    types, rows = read(await parquet.read(), folder)
    text = (await (await site.get(f"/csv{path}", **sent_by(person))).text()).removeprefix(BOM)
    return types, rows, list(csv.reader(io.StringIO(text)))[1:]


async def test_texts_are_as_they_were_sent_and_rows_those_of_the_csv(own_site, tmp_path):
    fill(own_site)
    types, rows, lines = await both(own_site, staff(own_site), f"/admin/reports/campaigns?{PERIOD}", tmp_path)
    assert (types["name"], types["sessions"], types["conversion"]) == ("VARCHAR", "BIGINT", "DOUBLE")
    assert {row[0] for row in rows} == {f"{name} / - / a" for name in CAMPAIGNS}
    shown = [[safe_text(row[0]), *("" if value is None else f"{value:g}" for value in row[1:])] for row in rows]
    assert shown == [[line[0], *(f"{float(text):g}" if text else "" for text in line[1:])] for line in lines]


async def test_amounts_are_whole_minor_units_beside_their_currency(own_site, tmp_path):
    fill(own_site)
    types, rows, lines = await both(own_site, staff(own_site), f"/admin/reports/products?{PERIOD}", tmp_path)
    net, currency = list(types).index("net"), list(types).index("currency")
    assert (types["net"], types["currency"]) == ("BIGINT", "VARCHAR")
    assert [(row[net], row[currency]) for row in rows] == [(1_999, "USD")]
    assert [line[net] for line in lines] == ["19.99"]


@pytest.mark.parametrize("name", SOURCES)
async def test_every_report_has_a_file_with_and_without_rows(own_site, tmp_path, name):
    path, person = f"/admin/reports/{name}", staff(own_site)
    types, rows, lines = await both(own_site, person, path, tmp_path)
    assert len(rows) == len(lines)
    assert set(types.values()) <= {"VARCHAR", "BIGINT", "DOUBLE"}


async def test_a_file_is_an_access_and_an_event(own_site):
    person = staff(own_site)
    await own_site.get("/csv/admin/visits?as=parquet", **sent_by(person))
    with own_site.db.read_session() as session:
        looks = session.scalars(select(ReportAccess.action).where(ReportAccess.learner_id == person.id)).all()
        events = session.scalars(select(AuditEvent.action).where(AuditEvent.actor_id == person.id)).all()
    assert (looks, "list.export" in events) == (["parquet"], True)


async def test_who_may_not_see_the_report_gets_no_file(own_site):
    answer = await own_site.client.get("/csv/admin/visits?as=parquet", allow_redirects=False)
    assert (answer.status, answer.headers["Location"].partition("?")[0]) == (303, "/adminlogin")
    with own_site.db.read_session() as session:
        assert session.scalars(select(ReportAccess.action)).all() == []


@pytest.mark.parametrize(("path", "status"), [("visits?as=xlsx", 422), ("orders?as=parquet", 404)])
async def test_other_forms_and_lists_without_the_form_are_refused(own_site, path, status):
    assert (await own_site.get(f"/csv/admin/{path}", **sent_by(staff(own_site)))).status == status


async def test_when_it_cannot_be_written_the_answer_says_what_to_do(own_site, monkeypatch):
    def fail(*_):
        raise WarehouseUnavailable("interrupted")

    monkeypatch.setattr(own_site.app[WAREHOUSE], "download_of", fail)
    answer = await own_site.get("/csv/admin/visits?as=parquet", **sent_by(staff(own_site)))
    assert (answer.status, (await answer.json())["detail"]) == (503, parquet_file.NOT_WRITTEN)


async def test_nothing_of_a_file_stays_on_the_disk(tmp_path):
    warehouse = Warehouse(tmp_path / "files", 256)
    body = warehouse.download_of(
        [DownloadColumn("name", "VARCHAR", ["a", None]), DownloadColumn("n", "BIGINT", [2**53, 1])]
    )
    assert read(body, tmp_path) == ({"name": "VARCHAR", "n": "BIGINT"}, [("a", 2**53), (None, 1)])
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []
