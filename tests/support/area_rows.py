"""Pages of areas for tests: rows of routes.json that the product does not have."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from domain import redaction, route_rows, routes
from host.rendering import area_props

_CACHES = (route_rows.table, route_rows.by_id, route_rows.areas, route_rows.area_pages)
_CACHES += (routes._literal, routes._patterns, redaction._below_areas, area_props._navigation)

Row = dict[str, Any]


def row(page_id: str, area: str, path: str, **about: Any) -> Row:
    return {"id": page_id, "area": area, "path": path, "title": page_id.capitalize(), "served": True, **about}


def nav(group: str, label: str, **below: str) -> dict[str, str]:
    return {"group": group, "label": label, **below}


ROWS = (
    row("admin-home", "admin", "/admin", nav=nav("Start", "Overview")),
    row(
        "admin-courses",
        "admin",
        "/admin/courses",
        permission="catalogue.read",
        nav=nav("Catalogue", "Courses"),
        query=["q", "page"],
    ),
    row("admin-course", "admin", "/admin/courses/{id}", permission="catalogue.read"),
    row("admin-staff", "admin", "/admin/staff", permission="staff.write", nav=nav("People", "Staff")),
    row("admin-later", "admin", "/admin/later", served=False, nav=nav("People", "Later")),
    row(
        "organization-members",
        "organization",
        "/organization/members",
        permission="members.write",
        nav=nav("Team", "Members"),
    ),
    row("organization-application", "organization", "/organization/application", any_session=True),
    row("certificate", "verify-certificate", "/verify-certificate/{code}"),
)


@contextmanager
def use_rows(monkeypatch: pytest.MonkeyPatch, folder: Path, rows: tuple[Row, ...] = ROWS) -> Iterator[None]:
    """The product's table with these pages of areas, until the end of the test."""
    table = json.loads(route_rows.ROUTES_FILE.read_text("utf-8"))
    file = folder / "routes.json"
    file.write_text(json.dumps({**table, "area_pages": list(rows)}), "utf-8")
    monkeypatch.setattr(route_rows, "ROUTES_FILE", file)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for cached in _CACHES:
        cached.cache_clear()
