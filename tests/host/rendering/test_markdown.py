"""Emphasis, numbers of lists, alignment and headings in descriptions, lessons and written pages."""

import pytest

from host.rendering.lesson_html import LessonHTML
from host.rendering.markdown import clean, markdown_to_html

# commonmark 0.31.2 and markdown-it-py 4.3.0 keep the asterisks of each: findings/commonmark_wide_scripts.sh.
WIDE = {
    "in Japanese quotation marks": ("これは**「要点」**です", "これは<strong>「要点」</strong>です"),
    "at a wide bracket": ("これは**重要\uff08必須\uff09**です", "これは<strong>重要\uff08必須\uff09</strong>です"),
    "at a wide colon": ("**重要\uff1a**今すぐ", "<strong>重要\uff1a</strong>今すぐ"),
    "at a Chinese full stop": ("这是**想做的事。**所以", "这是<strong>想做的事。</strong>所以"),
    "at a narrow bracket in Korean": ("**마크다운(Markdown)**을", "<strong>마크다운(Markdown)</strong>을"),
    "both kinds at once": ("***「要点」***は", "<em><strong>「要点」</strong></em>は"),
}


@pytest.mark.parametrize(("text", "html"), WIDE.values(), ids=WIDE)
def test_emphasis_beside_wide_characters_may_end_with_punctuation(text, html):
    assert markdown_to_html(text) == f"<p>{html}</p>"


def test_emphasis_of_lessons_is_that_of_descriptions():
    assert LessonHTML().render("**重要\uff1a**今すぐ", {}) == "<p><strong>重要\uff1a</strong>今すぐ</p>"


# As CommonMark has it.
KEPT = {
    "between spaces": "2 * 3 の * 4",
    "within words of narrow characters": "a**(b)**c",
    "that nothing closes": "**太字",
    "underscores": "これは_「要点」_です",
    "beside an emoji": "a**(b)**\U0001f600",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_other_marks_stay_as_they_are(text):
    assert markdown_to_html(text) == f"<p>{text}</p>"


def test_code_keeps_its_asterisks():
    assert markdown_to_html("`**「要点」**は`") == "<p><code>**「要点」**は</code></p>"


def _description(text: str) -> str:
    return markdown_to_html(text)


def _lesson(text: str) -> str:
    return LessonHTML().render(text, {})


# Each piece of HTML that a text must have.
KEEPS = {
    "the number of a step behind code": (
        "1. Open it.\n\n```\n=A1\n```\n\n2. Press Enter.",
        ['<ol start="2">\n<li>Press'],
    ),
    "a first number of 0": ("0. Before all", ['<ol start="0">\n<li>Before']),
    "numbers of a list in a list": ("- Part\n\n  7. Step", ['<ol start="7">\n<li>Step']),
    "numbers of a list in a quotation": ("> 4. Step", ['<ol start="4">\n<li>Step']),
    "no number of a list that begins with 1": ("1. Step", ["<ol>\n<li>Step"]),
    "alignment of columns": (
        "a|b|c|d\n---|--:|:-:|:--\n1|2|3|4",
        [
            '<th>a</th>\n<th class="align-right">b</th>\n<th class="align-center">c</th>\n<th>d</th>',
            '<td>1</td>\n<td class="align-right">2</td>\n<td class="align-center">3</td>\n<td>4</td>',
        ],
    ),
    "headings of all six levels": (
        "# a\n## b\n### c\n#### d\n##### e\n###### f",
        ["<h2>a</h2>\n<h2>b</h2>\n<h3>c</h3>\n<h4>d</h4>\n<h4>e</h4>\n<h4>f</h4>"],
    ),
}


@pytest.mark.parametrize("render", [_description, _lesson])
@pytest.mark.parametrize(("text", "pieces"), KEEPS.values(), ids=KEEPS)
def test_a_text_keeps(text, pieces, render):
    html = render(text)
    assert [piece for piece in pieces if piece not in html] == [], html


def test_no_other_class_and_no_attribute_of_a_list_is_kept():
    html = '<ol start="3" type="a" reversed><li>x</li></ol><td class="align-right table" style="color:red">1</td>'
    table = f"<table><tbody><tr>{html.partition('</ol>')[2]}</tr></tbody></table>"
    assert clean(html.partition("<td")[0]) == '<ol start="3"><li>x</li></ol>'
    assert clean(table) == '<table><tbody><tr><td class="align-right">1</td></tr></tbody></table>'
