"""Tax rates in the area for staff: looked at before they are added, listed, ended and taken back."""

import pytest

from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by

PATH = "/admin/tax-rates"
RATE = {"country": "IS", "taxClass": "book", "label": "VSK", "percent": "11", "startsOn": "2100-01-01"}


@pytest.fixture
async def finance(own_site):
    return learner(own_site, "Fay Finance", area="admin", roles=["finance"])


async def page(person, path):
    return (await (await person.site.get(f"/data{path}", **sent_by(person))).json())["props"]


async def numbers(person) -> list[str]:
    rows = (await page(person, f"{PATH}?country=is"))["table"]["rows"]
    return [row["cells"][0]["href"].rpartition("/")[2] for row in rows]


async def test_a_rate_is_looked_at_added_ended_and_taken_back(finance):
    status, checked = await finance.call("admin/tax-rates/check", **RATE)
    assert (status, await numbers(finance)) == (200, [])
    new = await page(finance, checked["href"])
    assert new["texts"][0]["text"].splitlines()[0] == "From 2100-01-01: Books to Iceland are charged VSK 11 %."
    sent = {field["name"]: field["value"] for field in new["actions"][0]["fields"]}
    assert (await finance.call("admin/tax-rates", **sent))[0] == 201
    (number,) = await numbers(finance)
    shown = await page(finance, f"{PATH}/{number}")
    assert shown["heading"] == "VSK 11 %, Iceland"
    assert [action["id"] for action in shown["actions"]] == ["end", "withdraw"]
    ended = await finance.call(f"admin/tax-rates/{number}/end", endsOn="2100-12-31", reason="A trial")
    assert ended == (200, {"text": "The rate ends on 2100-12-31.", "href": None})
    events = (await page(finance, f"{PATH}/{number}"))["tables"][0]["rows"]
    assert len(events) == 2
    file = await (await finance.site.get(f"/csv{PATH}?country=is", **sent_by(finance))).text()
    assert "Iceland" in file.splitlines()[1]
    assert (await finance.call(f"admin/tax-rates/{number}/withdraw"))[0] == 200
    assert await numbers(finance) == []


async def test_what_is_wrong_is_named_at_its_field_and_in_words(finance):
    status, problem = await finance.call("admin/tax-rates/check", **{**RATE, "startsOn": "2020-01-01"})
    assert (status, [*problem["errors"]]) == (422, ["startsOn"])
    shown = await page(finance, f"{PATH}/new?country=XX&percent=5")
    assert [part["id"] for part in shown["texts"]] == ["errors"]
    assert [action["button"] for action in shown["actions"]] == ["Show what it does"]
