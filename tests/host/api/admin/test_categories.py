"""Categories and instructors by their calls and pages: begun, written, and written by two at once."""

import pytest

from tests.host.staff_forms import body_of
from tests.host.test_area_matrix import sent_by

NEW = {
    "categories": {"name": "Wages", "description": "All about pay.", "position": 3},
    "instructors": {"name": "Ada Lovelace", "title": "Analyst", "bio": "She wrote the first program."},
}


@pytest.mark.parametrize("name", NEW)
async def test_an_entry_is_begun_and_written_and_its_page_shows_it(bare_site, editor, name):
    status, new = await bare_site.call(f"admin/{name}", {"name": "Beginning"}, editor.headers)
    body = {**NEW[name], "version": new["version"]}
    path = f"admin/{name}/{new['id']}"
    assert (status, (await bare_site.call(path, body, editor.headers, method="PUT"))[0]) == (201, 200)
    shown = await (await bare_site.get(f"/data/{path}", **sent_by(editor))).json()
    props = shown["props"]
    shown_values = body_of(props["form"], version=0)
    assert (props["heading"], props["slug"], shown_values) == (
        NEW[name]["name"],
        "beginning",
        NEW[name] | {"version": 0},
    )


@pytest.mark.parametrize("name", NEW)
async def test_of_two_who_write_an_entry_the_second_sees_what_the_first_stored(bare_site, editor, name):
    _, new = await bare_site.call(f"admin/{name}", {"name": "Beginning"}, editor.headers)
    body = {**NEW[name], "version": new["version"]}
    path = f"admin/{name}/{new['id']}"
    await bare_site.call(path, body, editor.headers, method="PUT")
    status, answer = await bare_site.call(path, {**body, "name": "Mine"}, editor.headers, method="PUT")
    conflict = answer["conflict"]
    assert (status, conflict["changedBy"], conflict["values"]) == (409, "Edda Editor", NEW[name])


@pytest.mark.parametrize("key", ["999999", "x"])
@pytest.mark.parametrize("name", NEW)
async def test_there_is_no_page_of_an_unknown_entry(bare_site, editor, name, key):
    answer = await bare_site.get(f"/data/admin/{name}/{key}", **sent_by(editor))
    assert (await answer.json())["status"] == 404
