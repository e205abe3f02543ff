"""Emphasis in descriptions, lessons and written pages."""

import pytest

from host.rendering.lesson_html import LessonHTML
from host.rendering.markdown import markdown_to_html

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
