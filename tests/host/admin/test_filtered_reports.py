"""Reports with filters: page, file and call say the same, filters are in every address, and without files they say what
to do."""

from datetime import date, timedelta
from urllib.parse import parse_qsl, urlsplit

from sqlalchemy import select, update

from domain.display_text import day_text
from domain.reports.sale_reports.overview import NO_AMOUNTS
from domain.reports.visit_reports.wording import NO_VALUE
from domain.reports.warehouse_upkeep import WarehouseUpkeep
from domain.tables import ReportAccess, VisitRollup
from domain.visits.days.build import DayBuilder
from domain.visits.raw.local_days import DayRules
from domain.visits.retention.periods import Periods
from domain.visits.stored_days import file_list
from host.reports.refusals import BEING_COMPUTED
from host.warehouse import warehouse_of
from tests.host.admin.test_staff import page
from tests.host.admin.test_visit_reports import DAY, NOW, ONE_DAY, call, file_rows, fill, staff
from tests.host.test_area_matrix import sent_by

FILTERS = "f=device:desktop&f=channel:search"


def fill_with_files(site) -> None:
    """The files of the day of `fill`."""
    fill(site)
    write_files(site)


def write_files(site) -> None:
    files = warehouse_of(site.settings)
    WarehouseUpkeep(site.db, files, DayRules(), Periods(), lambda: NOW).run()
    DayBuilder(site.db, site.settings.day_rules, lambda: NOW, files=files).build_due()


async def test_page_file_and_call_of_filters_say_the_same(bare_site):
    fill_with_files(bare_site)
    person = staff(bare_site)
    status, answer = await call(person, "sources", f"{ONE_DAY}&compare=none&by=source&{FILTERS}")
    assert status == 200
    assert {row["key"]: (row["figures"]["sessions"], row["figures"]["visits"]) for row in answer["rows"]} == {
        "Google": (1, 2)
    }
    assert (answer["totals"]["sessions"], answer["totals"]["visits"]) == (1, 2)
    status, props = await page(person, f"/admin/reports/sources?{ONE_DAY}&by=source&{FILTERS}")
    assert status == 200
    assert [row[0]["text"] for row in props["table"]["rows"]] == ["Google"]
    assert [chip["text"] for chip in props["chosen"]["filters"]] == ["Channel: Search engines", "Device: Computer"]
    rows = await file_rows(person, f"/admin/reports/sources?{ONE_DAY}&by=source&{FILTERS}")
    assert [row[:3] for row in rows[1:]] == [["Google", "1", "2"]]


async def test_every_filter_can_be_removed_and_a_row_adds_one(bare_site):
    fill_with_files(bare_site)
    person = staff(bare_site)
    _, props = await page(person, f"/admin/reports/sources?{ONE_DAY}&by=source&{FILTERS}")

    def filters_of(href: str) -> list[str]:
        return sorted(value for name, value in parse_qsl(urlsplit(href).query) if name == "f")

    left = {chip["text"]: filters_of(chip["href"]) for chip in props["chosen"]["filters"]}
    assert left == {"Channel: Search engines": ["device:desktop"], "Device: Computer": ["channel:search"]}
    assert filters_of(props["chosen"]["href"]) == []
    row = props["table"]["rows"][0][0]
    assert filters_of(row["href"]) == ["channel:search", "device:desktop", "source:Google"]
    # Each address opens.
    for href in (row["href"], props["chosen"]["href"], *(chip["href"] for chip in props["chosen"]["filters"])):
        status, found = await page(person, href)
        assert (status, found["figures"] != []) == (200, True), href
    # Other reports over the same period have those filters that they know.
    links = {link["text"]: filters_of(link["href"]) for group in props["reports"] for link in group["links"]}
    assert links["Overview"] == links["Landing pages"] == links["Pages"] == ["channel:search", "device:desktop"]
    assert links["Products"] == links["Funnel"] == links["Attribution"] == []
    hidden = [(field["name"], field["value"]) for field in props["form"]["hidden"]]
    assert hidden == [("f", "channel:search"), ("f", "device:desktop"), ("by", "source")]


async def test_the_overview_of_filters_has_no_amounts_of_other_visits(bare_site):
    fill_with_files(bare_site)
    person = staff(bare_site)
    status, answer = await call(person, "overview", f"{ONE_DAY}&{FILTERS}")
    assert (status, [answer["totals"][key] for key in ("sessions", "net", "refunded")]) == (200, [1, None, None])
    status, props = await page(person, f"/admin/visits?{ONE_DAY}&{FILTERS}")
    shown = {figure["key"]: figure["value"] for figure in props["figures"]}
    assert (status, shown["sessions"], shown["net"]) == (200, "1", NO_VALUE)
    assert NO_AMOUNTS in props["notes"]


async def test_a_chosen_value_of_another_report_is_no_filter_of_reports_about_visits(bare_site):
    """Attribution has the channels of touchpoints, and visits those of sessions."""
    _, props = await page(staff(bare_site), f"/admin/reports/attribution?{ONE_DAY}&f=channel:search")
    assert [chip["text"] for chip in props["chosen"]["filters"]] == ["Channel: Search engines"]
    links = [link["href"] for group in props["reports"] for link in group["links"]]
    assert [href for href in links if "f=channel" in href] == []


async def test_before_files_are_written_filters_say_how_many_there_are_and_then_answer(bare_site):
    fill(bare_site)
    person = staff(bare_site)
    address, title = f"/admin/reports/sources?{ONE_DAY}&{FILTERS}", "Files for filters are being written: 0 of 1 day"
    status, props = await page(person, address)
    assert (status, props["progress"]["title"], props["progress"]["isBlank"]) == (200, title, True)
    assert (props["figures"], props["csvHref"], len(props["chosen"]["filters"])) == ([], None, 2)
    status, answer = await call(person, "sources", f"{ONE_DAY}&{FILTERS}")
    assert (status, answer["code"], answer["progress"]) == (
        503,
        BEING_COMPUTED,
        {"computed": 0, "days": 1, "waiting": [DAY]},
    )
    answer = await bare_site.get(f"/csv{address}", **sent_by(person))
    assert (answer.status, answer.headers["Retry-After"]) == (503, "60")
    # Stored figures answer all the same, and only they were looked at.
    assert (await call(person, "sources", f"{ONE_DAY}&f=channel:search"))[0] == 200
    with bare_site.db.read_session() as session:
        assert session.scalars(select(ReportAccess.query)).all() == [
            f"from={DAY}&to={DAY}&compare=previous&by=engine&audience=people&f=channel%3Asearch&sort=-sessions&page=1"
        ]
    write_files(bare_site)
    status, props = await page(person, address)
    assert (status, "progress" in props, props["empty"], props["figures"] != []) == (200, False, "", True)
    status, answer = await call(person, "sources", f"{ONE_DAY}&{FILTERS}")
    assert (status, answer["progress"], answer["totals"]["sessions"]) == (200, None, 1)


async def test_files_of_final_days_that_are_lost_do_not_come_back(bare_site):
    fill(bare_site)
    with bare_site.db.write_session() as session:
        session.execute(update(VisitRollup).values(finalised_at=NOW))
    status, props = await page(staff(bare_site), f"/admin/reports/sources?{ONE_DAY}&{FILTERS}")
    assert (status, "progress" in props, props["empty"].partition(":")[0]) == (
        200,
        False,
        f"Filters reach back to {day_text(date.fromisoformat(DAY) + timedelta(days=1))}",
    )


async def test_files_that_are_listed_but_on_another_machine_are_503(bare_site):
    fill_with_files(bare_site)
    files = warehouse_of(bare_site.settings)
    with bare_site.db.read_session() as session:
        names = [file.name for kind in file_list.KINDS for file in file_list.current(session, kind)]
    for name in names:
        files.delete(name)
    status, answer = await call(staff(bare_site), "sources", f"{ONE_DAY}&{FILTERS}")
    assert (status, "the worker that has the files of days" in answer["detail"]) == (503, True)


async def test_a_broken_file_is_503_not_a_wrong_figure(bare_site):
    fill_with_files(bare_site)
    files = warehouse_of(bare_site.settings)
    for path in files.folder.glob("0/*.parquet"):
        path.write_bytes(path.read_bytes()[:-30])
    status, answer = await call(staff(bare_site), "sources", f"{ONE_DAY}&{FILTERS}")
    assert (status, "They are written anew" in answer["detail"]) == (503, True)


async def test_a_call_refuses_filters_that_a_report_does_not_have(bare_site):
    person = staff(bare_site)
    wrong = ("f=path:/", "f=learner:1", "f=channel:a&f=channel:b", "&".join(f"f={n}:x" for n in "abcdef"))
    for query in wrong:
        status, answer = await call(person, "sources", query)
        assert (status, list(answer["errors"])) == (422, ["f"]), query
    assert (await call(person, "sources", "&".join(["f=device:x"] * 21)))[0] == 422
