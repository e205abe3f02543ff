"""Texts of lessons as HTML: pictures get the address of their reader, and the cache holds as much memory as it may."""

import gc
import tracemalloc

from host.rendering.lesson_html import LessonHTML

DIGEST = "a1" * 32
PICTURE = f"Look: ![A chart](/files/{DIGEST})"


def test_each_reader_gets_a_picture_under_an_address_of_their_own():
    cache = LessonHTML()
    shown = [cache.render(PICTURE, {DIGEST: f"/learning/files/1/a.png?u={reader}&sig=x"}) for reader in (1, 2)]
    assert shown == [
        f'<p>Look: <img src="/learning/files/1/a.png?u={reader}&amp;sig=x" alt="A chart" loading="lazy"></p>'
        for reader in (1, 2)
    ]
    assert cache.render(PICTURE, {}) == "<p>Look: </p>"


def test_html_in_the_text_is_text_and_headings_begin_below_the_page_s_own():
    html = LessonHTML().render("# Title\n\n<img src=x onerror=alert(1)>", {})
    assert html == "<h2>Title</h2>\n<p>&lt;img src=x onerror=alert(1)&gt;</p>"


def test_the_cache_holds_at_most_as_much_memory_as_it_may():
    most = 300_000
    # Each of their characters takes four bytes.
    texts = [f"{number} " + "A sentence of a lesson. 😀 " * 200 for number in range(40)]
    LessonHTML().render(texts[0], {})
    gc.collect()
    tracemalloc.start()
    try:
        cache = LessonHTML(most)
        for text in texts:
            # The text is another object, as one that was read from the database.
            assert cache.render(text[:1] + text[1:], {}).startswith("<p>")
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert most / 2 < cache.bytes <= most
    assert held < 1.05 * most
