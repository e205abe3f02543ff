"""A site is removed with all its rows; other sites and the shop stay, and an import that runs meanwhile ends."""

import pytest
from sqlalchemy import select, update

from domain.log_import import removal, storing
from domain.tables import ImportedVisit, VisitDay, VisitHour, VisitorSign, VisitRollup, VisitSite
from tests.domain.log_import import log_files
from tests.domain.log_import.worlds import digests, import_files
from tests.domain.visits.days.worlds import NOON, add, builder, visit

pytestmark = pytest.mark.each_database

MADE = log_files.requests(600)
PAGES = sum(request.kind == "pages" for request in MADE)
TABLES = (ImportedVisit, VisitDay, VisitHour, VisitorSign, VisitRollup)


@pytest.fixture
def sites(database, tmp_path):
    """Two sites, and a day of the shop."""
    log = log_files.write(tmp_path / "access.log", MADE, "combined")
    for site in ("school", "other"):
        import_files(database, log, site=site)
    with database.write_session() as session:
        add(session, visit(1, NOON))
    builder(database).build(NOON.date())
    return database


def rows(database) -> dict[int, list[tuple]]:
    """By site; all of its rows."""
    found: dict[int, list[tuple]] = {}
    with database.read_session() as session:
        for table in TABLES:
            for row in session.execute(select(table.__table__)):
                found.setdefault(row.site, []).append((table.__name__, *map(str, row)))
    return {site: sorted(of_site) for site, of_site in found.items()}


def no_progress(_done, _total) -> None:
    pass


def test_a_site_is_removed_in_parts_and_nothing_of_others(sites, monkeypatch):
    monkeypatch.setattr(removal, "PART", 50)
    before, shown = rows(sites), []
    assert removal.remove(sites, "school", lambda done, total: shown.append((done, total))) == PAGES
    assert rows(sites) == {site: before[site] for site in (0, 2)}
    assert (shown == sorted(shown), shown[-1][0] == shown[-1][1], len(shown) > PAGES // 50) == (True, True, True)
    with sites.read_session() as session:
        assert storing.names_of_sites(session) == ["other"]


def test_an_unknown_site_changes_nothing(sites):
    before = rows(sites)
    assert removal.remove(sites, "nobody", no_progress) is None
    assert rows(sites) == before


def test_imported_again_it_is_as_before_under_a_number_that_is_no_others(sites, tmp_path):
    before = [row[1:] for row in digests(sites) if row[0] == 2]
    removal.remove(sites, "other", no_progress)
    import_files(sites, tmp_path / "access.log", site="other")
    assert {row[0] for row in digests(sites)} == {0, 1, 2}
    removal.remove(sites, "school", no_progress)
    import_files(sites, tmp_path / "access.log", site="school")
    assert [row[1:] for row in digests(sites) if row[0] == 2] == before
    assert {row[0] for row in digests(sites)} == {0, 2, 3}


class Stopped(Exception):
    pass


def test_a_stopped_removal_goes_on(sites, monkeypatch):
    before = rows(sites)
    monkeypatch.setattr(removal, "PART", 50)

    def stop(done, _total) -> None:
        if done > 100:
            raise Stopped

    with pytest.raises(Stopped):
        removal.remove(sites, "school", stop)
    assert 0 < len(rows(sites)[1]) < len(before[1])
    removal.remove(sites, "school", no_progress)
    assert rows(sites) == {site: before[site] for site in (0, 2)}


def test_an_import_that_runs_meanwhile_ends_and_leaves_nothing(sites, tmp_path, monkeypatch):
    monkeypatch.setattr(removal, "_delete_visits", lambda session, site: 0)
    moved = log_files.write(tmp_path / "second.log", log_files.requests(600)[::2], "combined")
    original = storing.store

    def store(session, site, *args):
        session.execute(VisitSite.__table__.delete().where(VisitSite.id == site.id))
        return original(session, site, *args)

    monkeypatch.setattr(storing, "store", store)
    before = rows(sites)
    with pytest.raises(storing.SiteRemoved):
        import_files(sites, moved, site="school")
    assert rows(sites) == before


def test_an_import_ends_too_when_another_site_has_the_number_since(sites, tmp_path, monkeypatch):
    moved = log_files.write(tmp_path / "second.log", log_files.requests(600)[::2], "combined")
    original, before = storing.store, rows(sites)

    def store(session, site, *args):
        session.execute(update(VisitSite).where(VisitSite.id == site.id).values(name="new"))
        return original(session, site, *args)

    monkeypatch.setattr(storing, "store", store)
    with pytest.raises(storing.SiteRemoved):
        import_files(sites, moved, site="school")
    assert rows(sites) == before
