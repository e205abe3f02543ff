"""Pictures for shared links: drawn once, kept, replaced with what they show; on bad days something in their place."""

import asyncio
from dataclasses import replace

import pytest

from domain.publishing import slug_changes
from host.images import social_card_handler, social_card_store
from host.images.social_card import CardSubject, SocialCard, of_product
from host.images.social_card_store import SOCIAL_CARDS, RenderingFailed, SocialCardStore
from tests.host.loaders.test_redirects_and_retirement import NOW, product
from tests.support.waiting import until

PNG = b"\x89PNG drawn"
FACTS = SocialCard("course", "7", "VAT", "Tax", ("course", "tax", "vat"), "Meridian", "We teach.", "/logo.svg")


@pytest.fixture
def drawn(monkeypatch):
    """Facts that were drawn, instead of drawing them."""
    rendered = []

    async def draw(facts):
        rendered.append(facts)
        return PNG + facts.title.encode()

    monkeypatch.setattr(social_card_store, "render_png", draw)
    return rendered


async def path_of(site, page="/course-details?course=vat-basics"):
    return (await site.document(page)).meta("og:image").removeprefix(site.settings.site_origin)


@pytest.mark.parametrize(
    ("page", "title", "label"),
    [
        ("/course-details?course=vat-basics", "VAT basics", "Tax · Beginner"),
        ("/shop-details/{item}", "Tax tables", "Book · Tax"),
        ("/shop?category=data", "Data", "Courses and materials"),
        ("/shop", "The catalogue", ""),
        ("/", "Courses for people who have work to do", ""),
        ("/about", "About us", ""),
        ("/contact", "Contact", ""),
    ],
)
async def test_every_kind_of_page_has_its_own_card(bare_site, drawn, page, title, label):
    path = await path_of(bare_site, page.format(item=bare_site.id_of("tax-tables")))
    answer = await bare_site.get(path)
    assert (answer.status, answer.content_type) == (200, "image/png")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (drawn[0].title.startswith(title.split(" ")[0]), drawn[0].label) == (True, label)


async def test_a_card_is_rendered_once_and_stored(bare_site, drawn):
    path = await path_of(bare_site)
    await asyncio.gather(*(bare_site.get(path) for _ in range(4)))
    assert await (await bare_site.get(path)).read() == PNG + b"VAT basics"
    assert len(drawn) == 1


async def test_an_older_url_redirects_to_the_current_card_and_its_file_is_deleted(bare_site, drawn):
    old = await path_of(bare_site)
    await bare_site.get(old)
    with bare_site.db.write_session() as session:
        slug_changes.rename(session, product(session, "vat-basics"), "vat", NOW)
    new = await path_of(bare_site, "/course-details?course=vat")
    answer = await bare_site.get(old)
    assert (answer.status, answer.headers["Location"]) == (302, new)
    await bare_site.get(new)
    files = list((bare_site.settings.var_dir / "og").rglob("*.png"))
    assert [path.name for path in files] == [new.rpartition("/")[2]]


@pytest.mark.parametrize(
    "path",
    ["/og/course/999-0123456789.png", "/og/course/x-0123456789.png", "/og/page/none-0123456789.png", "/og/nothing.png"],
)
async def test_the_card_of_an_unknown_page_is_not_found(bare_site, drawn, path):
    assert (await bare_site.get(path)).status == 404
    assert drawn == []


async def test_a_draft_has_no_card(bare_site, drawn):
    assert (await bare_site.get(f"/og/course/{bare_site.id_of('draft-course')}-0123456789.png")).status == 404


async def test_when_rendering_fails_a_picture_without_text_is_sent(bare_site, monkeypatch, caplog):
    attempts = []

    async def fail(facts):
        attempts.append(facts)
        raise RenderingFailed("no library")

    monkeypatch.setattr(social_card_store, "render_png", fail)
    path = await path_of(bare_site)
    for _ in range(3):
        answer = await bare_site.get(path)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
        assert await answer.read() == social_card_handler.FALLBACK.read_bytes()
    assert len(attempts) == 1
    assert "cannot be rendered: no library" in caplog.text


async def test_too_many_pending_cards_are_refused_at_once(bare_site, monkeypatch):
    go_on = asyncio.Event()

    async def slow(facts):
        await go_on.wait()
        return PNG

    monkeypatch.setattr(social_card_store, "render_png", slow)
    monkeypatch.setattr(social_card_store, "MAX_PENDING", 1)
    pictures = bare_site.app[SOCIAL_CARDS]
    waiting = asyncio.create_task(pictures.get(FACTS))
    await until(lambda: pictures._flight)
    assert await pictures.get(replace(FACTS, key="8")) is None
    go_on.set()
    assert await waiting == pictures.file_of(FACTS)


async def test_the_folder_is_bounded_and_the_oldest_files_are_deleted_first(tmp_path, drawn):
    pictures = SocialCardStore(tmp_path, max_bytes=100)
    for number in range(20):
        await pictures.get(replace(FACTS, key=str(number)))
    left = {path.name.split("-")[0] for path in tmp_path.rglob("*.png")}
    assert 5 < len(left) <= 100 // len(PNG + b"VAT")
    assert "19" in left
    assert "0" not in left
    assert not list(tmp_path.rglob("*.new"))


async def test_on_a_full_disk_a_picture_without_text_is_sent(tmp_path, drawn):
    (tmp_path / "og").write_text("no folder")
    assert await SocialCardStore(tmp_path / "og", 100).get(FACTS) is None


def test_the_url_changes_with_the_content_of_the_card(bare_settings):
    subject = CardSubject("course", 7, "VAT", "vat", "beginner", "tax", "Tax")
    card = of_product(bare_settings, subject)
    assert of_product(bare_settings, replace(subject)).path == card.path
    for changes in ({"name": "Customs"}, {"sort": "advanced"}, {"category_name": "Taxes"}, {"slug": "other"}):
        assert of_product(bare_settings, replace(subject, **changes)).path != card.path
    assert of_product(replace(bare_settings, site_name="Other"), subject).path != card.path


@pytest.fixture
def bare_settings(bare_site):
    return bare_site.settings


async def test_the_rendering_process_renders_a_png():
    png = await social_card_store.render_png(replace(FACTS, logo="/static/images/logo.svg"))
    assert png.startswith(b"\x89PNG\r\n\x1a\n")


async def test_a_rendering_process_that_fails_says_why():
    with pytest.raises(RenderingFailed, match="Error"):
        await social_card_store.render_png(replace(FACTS, art=("one",)))
