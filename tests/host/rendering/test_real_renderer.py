"""With the real Node worker: a page is the same whether it was streamed or drawn whole."""

import re

import pytest
import pytest_asyncio

from tests.host.conftest import sites
from tests.host.documents import read
from tests.host.site import SHARED
from tests.host.small_shop import HOSTILE

pytestmark = SHARED

VAT = "/course-details?course=vat-basics"
GOOGLE = "Googlebot/2.1"
NOTHING_PENDING = [
    "/",
    "/shop",
    "/shop?category=data&page=2",
    "/about",
    "/contact",
    "/refund-grievance-policy",
    "/nothing",
]
PENDING = [VAT, "/shop-details/{item}", "/course-details?course=script-course", "/course-details?course=old-course"]


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def whole(node_worker, shop_file, tmp_path_factory):
    async with sites(tmp_path_factory.mktemp("whole"), shop_file) as open_site:
        yield await open_site(node_worker.address, RENDER="whole")


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def streamed(node_worker, shop_file, tmp_path_factory):
    async with sites(tmp_path_factory.mktemp("streamed"), shop_file) as open_site:
        yield await open_site(node_worker.address, RENDER="stream", SSR_FIRST_MS="5000")


def applied(html: str) -> str:
    """What the browser makes of a streamed document: each late part in the place of its fallback."""
    for number, part in re.findall(r'<div hidden id="S:(\w+)">(.*?)</div><script', html, re.DOTALL):
        place = re.compile(rf'<!--\$\?--><template id="B:{number}"></template>.*?<!--/\$-->', re.DOTALL)
        html = place.sub(lambda _, part=part: part, html, count=1)
    return re.sub(r'<div hidden id="S:\w+">.*?</div><script', "<script", html, flags=re.DOTALL)


def words_of(html: str) -> list[str]:
    """Every piece of text, joined where React only marks a border."""
    return read(200, {}, re.sub(r"<!--.*?-->", "", html)).words


@pytest.mark.parametrize("path", NOTHING_PENDING)
async def test_a_page_without_deferred_parts_has_the_same_bytes_streamed_and_complete(whole, streamed, path):
    document, other = await whole.document(path), await streamed.document(path)
    assert (document.is_rendered, other.is_rendered, document.state["deferred"]) == (True, True, [])
    assert document.root == other.root
    assert document.all("main") == other.all("main") != []


@pytest.mark.parametrize("path", PENDING)
async def test_a_page_with_deferred_parts_has_the_same_text_streamed_and_complete(whole, streamed, path):
    path = path.format(item=whole.id_of("tax-tables"))
    document, other = await whole.document(path), await streamed.document(path)
    assert set(other.parts) == set(other.state["deferred"]) != set()
    assert words_of(document.html) == words_of(applied(other.html))


async def test_the_data_of_a_deferred_part_precedes_its_markup(streamed):
    html = (await streamed.document(VAT)).html
    assert html.index('.push(["reviews"') < html.index(">Grace H.")


async def test_crawlers_and_people_get_the_same_text(streamed, node_worker, shop_file, tmp_path):
    async with sites(tmp_path, shop_file) as open_site:
        auto = await open_site(node_worker.address)
        crawler = await auto.document(VAT, User_Agent=GOOGLE)
    person = await streamed.document(VAT)
    assert words_of(crawler.html) == words_of(applied(person.html))
    assert (crawler.title, crawler.json_ld) == (person.title, person.json_ld)


async def test_the_rendered_shop_works_without_scripts(whole):
    document = await whole.document("/shop")
    assert {VAT, "/shop?page=2", "/shop?category=tax", "/shop?sort=newest"} <= set(document.links)
    cards = {card["href"] for card in document.state["props"]["cards"]}
    assert cards <= set(document.links)


@pytest.mark.parametrize(("path", "price"), [(VAT, "$80.00"), ("/shop-details/{item}", "$19.90")])
async def test_the_visible_price_equals_the_structured_data(whole, path, price):
    document = await whole.document(path.format(item=whole.id_of("tax-tables")))
    (offer,) = [block["offers"] for block in document.json_ld if "offers" in block]
    assert f"${offer['price']}" == price
    assert price in document.words


async def test_a_hostile_name_is_rendered_as_text(whole, streamed):
    for site in (whole, streamed):
        document = await site.document("/course-details?course=script-course")
        assert "<script>alert" not in document.html
        (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", document.root, re.DOTALL)
        assert read(200, {}, heading).words == [" ".join(HOSTILE.split())]


async def test_the_error_page_has_the_texts_of_the_specification(whole):
    document = await whole.document("/nothing?x=1")
    text = "Whoops, this is embarassing. Looks like the page you were looking for wasn't found."
    assert {"404", "Page not found: /nothing", text, "Back to Home"} <= set(document.words)


@pytest.mark.parametrize("path", [*NOTHING_PENDING, *PENDING])
async def test_no_rendered_page_needs_what_its_policy_forbids(whole, path):
    document = await whole.document(path.format(item=whole.id_of("tax-tables")))
    assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", document.root)
    assert not re.search(r"<(style|script)", document.root)
