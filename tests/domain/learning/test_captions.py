"""Captions as WebVTT, and the transcripts that are made of them."""

import pytest

from domain.learning import captions

# WebVTT, section 6.4; webvtt-py 0.6.0 leaves the escapes in its texts: findings/webvtt_py_escapes.sh.
ESCAPES = [
    ("Q&amp;A", "Q&A"),
    ("is a &lt; b?", "is a < b?"),
    ("the tag &lt;p&gt;", "the tag <p>"),
    ("10&nbsp;EUR", "10 EUR"),
    ("Gr&uuml;&szlig;e", "Grüße"),
    ("&#8364;5, &#x20AC;6", "€5, €6"),
    ("&amp;lt; is written so", "&lt; is written so"),
    ("R&D, AT&T; and &xyz;", "R&D, AT&T; and &xyz;"),
    ("<v Anna>Q&amp;A</v> <i>now</i>", "Q&A now"),
]


@pytest.mark.parametrize(("written", "read"), ESCAPES)
def test_a_transcript_has_the_signs_that_captions_escape(written, read):
    found = captions.cues(f"WEBVTT\n\n00:01.000 --> 00:04.000\n{written}\n")
    assert found == [{"start": 1.0, "end": 4.0, "text": read}]


@pytest.mark.parametrize("text", ["is a < b and b > c?", "the tag <p>", "R&D", "&lt; is written so", "1 --> 2"])
def test_a_transcript_survives_captions_whole(text):
    transcript = [{"start": 1.5, "end": 4.0, "text": text}]
    assert captions.cues(captions.vtt_of(transcript)) == transcript
    assert captions.problem(captions.vtt_of(transcript)) is None


def test_escapes_alone_are_no_words():
    assert captions.cues("WEBVTT\n\n00:01.000 --> 00:04.000\n&nbsp;\n") == []


def test_a_text_between_two_captions_is_escaped_once():
    assert (
        captions.vtt_of([{"start": 0.0, "end": 1.0, "text": "a & b"}])
        == "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na &amp; b\n"
    )
