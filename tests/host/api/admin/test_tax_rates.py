"""Rates of tax and delivery in the area for staff: looked at before they are added, listed, ended and taken back."""

import pytest

from tests.host.page_props import page_props
from tests.host.signing import learner
from tests.host.test_area_matrix import sent_by

PATH = "/admin/tax-rates"
RATE = {"country": "IS", "taxClass": "book", "label": "VSK", "percent": "11", "startsOn": "2100-01-01"}


@pytest.fixture
async def finance(own_site):
    return learner(own_site, "Fay Finance", area="admin", roles=["finance"])


async def numbers(person) -> list[str]:
    rows = (await page_props(person, f"{PATH}?country=is"))["table"]["rows"]
    return [row["cells"][0]["href"].rpartition("/")[2] for row in rows]


async def test_a_rate_is_looked_at_added_ended_and_taken_back(finance):
    status, looked = await finance.call("admin/tax-rates/preview", **RATE)
    assert (status, looked["effects"][0], await numbers(finance)) == (
        200,
        "From January 1, 2100: Books to Iceland are charged VSK 11%.",
        [],
    )
    assert (await finance.call("admin/tax-rates", **RATE))[0] == 201
    (number,) = await numbers(finance)
    shown = await page_props(finance, f"{PATH}/{number}")
    assert shown["heading"] == "VSK 11%, Iceland"
    assert [action["id"] for action in shown["actions"]] == ["end", "withdraw"]
    ended = await finance.call(f"admin/tax-rates/{number}/end", endsOn="2100-12-31", reason="A trial")
    assert ended == (200, {"text": "The rate ends on December 31, 2100.", "href": None})
    assert len((await page_props(finance, f"{PATH}/{number}"))["tables"][0]["rows"]) == 2
    file = await (await finance.site.get(f"/csv{PATH}?country=is", **sent_by(finance))).text()
    assert "Iceland" in file.splitlines()[1]
    assert (await finance.call(f"admin/tax-rates/{number}/withdraw"))[0] == 200
    assert await numbers(finance) == []


@pytest.mark.parametrize("name", ["admin/tax-rates", "admin/tax-rates/preview"])
async def test_what_is_wrong_is_named_at_its_field(finance, name):
    status, problem = await finance.call(name, **{**RATE, "startsOn": "2020-01-01", "endsOn": "soon"})
    assert (status, [*problem["errors"]]) == (422, ["endsOn"])
    status, problem = await finance.call(name, **{**RATE, "startsOn": "2020-01-01"})
    assert (status, [*problem["errors"]]) == (422, ["startsOn"])


async def test_a_delivery_rate_is_looked_at_added_and_taken_back(finance):
    rate = {"zone": "Moon", "countries": ["IS"], "service": "Rocket", "price": 900, "daysMin": 1, "daysMax": 2}
    rate["startsOn"] = "2100-01-01"
    status, looked = await finance.call("admin/delivery-rates/preview", **rate)
    assert (status, len(looked["effects"])) == (200, 2)
    assert (await finance.call("admin/delivery-rates", **rate))[0] == 201
    row = (await page_props(finance, "/admin/delivery-rates?state=planned"))["table"]["rows"][0]
    assert [cell and cell.get("text") for cell in row["cells"][:3]] == ["Moon: Rocket", "Iceland", "from 0 g"]
    shown = await page_props(finance, row["cells"][0]["href"])
    withdraw = shown["actions"][1]["call"].removeprefix("/")
    assert await finance.call(withdraw) == (200, {"text": "The rate is taken back.", "href": None})
    assert (await page_props(finance, "/admin/delivery-rates?state=planned"))["table"]["rows"] == []


async def test_countries_of_a_zone_are_found_by_name_and_changed(finance):
    found = await finance.get("admin/picker/places?q=icel")
    assert found == (200, {"options": [{"value": "IS", "text": "Iceland", "detail": "IS"}]})
    rate = {"zone": "North", "countries": ["IS"], "service": "Ferry", "price": 900, "daysMin": 1, "daysMax": 2}
    assert (await finance.call("admin/delivery-rates", **rate))[0] == 201
    rows = (await page_props(finance, "/admin/delivery-rates"))["table"]["rows"]
    href = next(row["cells"][0]["href"] for row in rows if row["cells"][0]["text"] == "North: Ferry")
    form = (await page_props(finance, href))["actions"][-1]
    assert form["title"] == "Countries of the zone North"
    assert form["fields"][0]["picked"] == [{"value": "IS", "text": "Iceland"}]
    call = form["call"].removeprefix("/")
    status, looked = await finance.call(f"{call}/preview", countries=["GL"])
    assert (status, looked["effects"][:2]) == (
        200,
        ["Greenland: delivered by the rates of this zone.", "Iceland: nothing is delivered there any more."],
    )
    assert await finance.call(call, countries=["GL"], reason="Winter") == (
        200,
        {"text": "The zone has 1 place now.", "href": None},
    )
    shown = await page_props(finance, href)
    assert "Greenland" in str(shown["facts"][0])
    assert "Changed the countries of delivery zone" in str(shown["tables"][0]["rows"][0])
    status, problem = await finance.call(call, countries=["Moon"])
    assert (status, [*problem["errors"]]) == (422, ["countries"])
    assert (await finance.call("admin/delivery-zones/999999/places", countries=["GL"]))[0] == 404
