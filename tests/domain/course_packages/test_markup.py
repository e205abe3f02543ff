"""HTML of packages as Markdown, and what the site shows of it."""

import pytest

from domain.course_packages import markup
from domain.course_packages.archive import open_archive
from domain.course_packages.markup import Attachment
from domain.course_packages.package import UsedFiles
from host.rendering.lesson_html import LESSON_HTML
from tests.domain.course_packages.packages import PDF, PNG, zipped

FILES = {"pictures/a b.png": PNG, "pictures/c.svg": "<svg/>", "papers/p.pdf": PDF}


@pytest.fixture
def convert(tmp_path):
    path = tmp_path / "package"
    path.write_bytes(zipped(FILES))
    with open_archive(path) as archive:
        files = UsedFiles(archive)
        resolve = markup.resolver("pages", lambda name: name if name in archive else None, lambda _reference: None)
        yield lambda html: markup.to_markup(html, resolve, files)


# HTML -> what a learner's page shows of it. A date at the beginning of a line and bars in cells are what markdownify
# 1.2.3 turns into something else.
SHOWN = {
    "a date is no list": ("<p>12. March is late</p>", "<p>12. March is late</p>"),
    "a year is no list": ("<p>1986) it began</p>", "<p>1986) it began</p>"),
    "a line after a break is none either": ("<p>On<br>3. May</p>", "<p>On<br>\n3. May</p>"),
    "signs stay signs": ("<p># a *b* _c_ `d` &lt;e&gt; [f](g)</p>", "<p># a *b* _c_ `d` &lt;e&gt; [f](g)</p>"),
    "a dash is no list": ("<p>- a</p><p>+ b</p>", "<p>- a</p>\n<p>+ b</p>"),
    "entities of entities": ("<p>&amp;lt;</p>", "<p>&amp;lt;</p>"),
    "lists begin where they began": ("<ol start='3'><li>a</li></ol>", '<ol start="3">\n<li>a</li>\n</ol>'),
    "raised digits": ("<p>10<sup>2</sup> H<sub>2</sub>O x<sup>ab</sup></p>", "<p>10² H₂O x^ab</p>"),
    "links are safe": (
        '<a href="https://a.example/x (y)">b</a> <a href="javascript:x">c</a>',
        '<p><a href="https://a.example/x%20%28y%29" rel="nofollow noopener noreferrer">b</a> c</p>',
    ),
    "the name of a file": ("notes.txt", "<p>notes.txt</p>"),
    "no script": ("<p>a<script>b()</script><style>c</style></p>", "<p>a</p>"),
    "a bold space": ("<p><b>a&nbsp;</b>b</p>", "<p><strong>a</strong> b</p>"),
    "code": ("<pre>a\n  b|c</pre>", "<pre><code>a\n  b|c\n</code></pre>"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_html_is_shown_as_it_was_meant(convert, name):
    html, shown = SHOWN[name]
    assert LESSON_HTML.render(convert(html).text, {}) == shown


def test_a_bar_in_a_cell_stays_in_its_cell(convert):
    found = convert("<table><tr><td>a|b</td><td><code>c|d</code></td></tr><tr><td>1</td><td>x<br>y</td></tr></table>")
    assert found.text == "| a\\|b | `c\\|d` |\n| --- | --- |\n| 1 | x y |"
    html = LESSON_HTML.render(found.text, {})
    assert "<th>a|b</th>\n<th><code>c|d</code></th>" in html
    assert html.count("<td>") == 2


def test_pictures_of_the_package_stay_and_others_are_named(convert):
    found = convert(
        '<p><img src="../pictures/a%20b.png" alt="A [desk]"> <img src="../pictures/c.svg" alt="C">'
        '<img src="https://a.example/d.png" alt="D"> <img src="e.png" alt="E"><img src="data:image/png;base64,AA"></p>'
    )
    assert found.text.startswith("![A (desk)](/files/")
    assert "[D](https://a.example/d.png)" in found.text
    assert found.lost == [
        "The picture “C” is no PNG, JPEG or WebP: its description stays.",
        "The picture “D” lies on another site: it is a link.",
        "The picture “E” is not in the package: its description stays.",
        "The picture “png;base64,AA” is part of the page, and not a file: its description stays.",
    ]


def test_links_to_files_become_attachments_and_others_keep_their_words(convert):
    found = convert(
        '<p><a href="../papers/p.pdf?x=1">The paper</a>, <a href="other.html">next</a>, <a href="#a">up</a></p>'
    )
    assert (found.text, found.attachments) == ("The paper, next, up", [Attachment("papers/p.pdf", "The paper")])
    assert found.lost == ["Links into the other system keep their words alone: “next”."]


def test_a_page_full_of_links_is_said_in_one_sentence(convert):
    found = convert("".join(f'<a href="{number}">page {number}</a> ' for number in range(7)))
    assert found.lost == [
        "Links into the other system keep their words alone: “page 0”, “page 1”, “page 2”, “page 3”, “page 4” and 2 "
        "more."
    ]


def test_players_become_links(convert):
    found = convert(
        '<iframe src="https://www.youtube.com/embed/abc_DEF-123" title="Wages"></iframe><video src="x"></video>'
    )
    assert found.text == "[Wages](https://www.youtube.com/watch?v=abc_DEF-123)"
    assert found.lost == [
        "The embedded page “Wages” is a link: lessons embed nothing.",
        "The video “x” does not come along.",
    ]


@pytest.mark.parametrize(
    ("html", "lost"),
    [
        (r"<p>\(x^2\)</p>", "Its formulas are shown as they are typed: lessons draw no TeX."),
        ("<math><mi>x</mi></math>", "Its formulas (MathML) are shown as their signs, one after the other."),
        ("<form><p>a</p></form>", "Its form or folded part is shown as plain text."),
    ],
)
def test_what_a_lesson_cannot_show_is_said(convert, html, lost):
    assert convert(html).lost == [lost]


def test_html_that_is_nested_too_deep_keeps_its_words(convert):
    found = convert("<div>" * 3_000 + "deep" + "</div>" * 3_000)
    assert (found.text, found.lost) == ("deep", ["Its HTML is nested too deep: the words alone come along."])
