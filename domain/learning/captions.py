"""Captions as WebVTT, and the transcript that is made of them."""

import html
import re
from typing import Any

_TIME = r"(?:\d{1,3}:)?[0-5]?\d:[0-5]\d[.,]\d{1,3}"
_CUE = re.compile(rf"^({_TIME})[ \t]+-->[ \t]+({_TIME})[^\n]*\n((?:[^\n]+\n?)*)", re.MULTILINE)
_TAG = re.compile(r"</?[^>\n]{0,40}>")
_ESCAPE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


def cues(vtt: str) -> list[dict[str, Any]]:
    """Each cue with its seconds and its words, without marks and with the signs that "&lt;" and others stand for
    (WebVTT, section 6.4; webvtt-py 0.6.0 leaves them: findings/webvtt_py_escapes.sh). A cue without words is left out.
    """
    found = [
        {"start": _seconds(start), "end": _seconds(end), "text": " ".join(_plain(text).split())}
        for start, end, text in _CUE.findall(vtt.replace("\r\n", "\n"))
    ]
    return [cue for cue in found if cue["text"]]


def problem(vtt: str) -> str | None:
    """Why this is no WebVTT with something said, in a sentence; None when it is."""
    if not vtt.startswith("WEBVTT"):
        return "Captions begin with the line WEBVTT."
    spoken = cues(vtt)
    if not spoken:
        return "Captions need lines such as 00:01.000 --> 00:04.000, each with what is said below it."
    if wrong := next((cue for cue in spoken if cue["end"] <= cue["start"]), None):
        return f"“{wrong['text'][:60]}” ends before it begins."
    return None


def vtt_of(transcript: list[dict[str, Any]]) -> str:
    """A transcript as WebVTT: for videos of other sites, which have no captions here. Its signs are escaped, so that
    "a < b" stays text."""
    blocks = [
        f"{_timestamp(cue['start'])} --> {_timestamp(cue['end'])}\n{html.escape(cue['text'], quote=False)}\n"
        for cue in transcript
    ]
    return "\n".join(("WEBVTT\n", *blocks))


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda match: html.unescape(match[0]), _TAG.sub("", text))


def _seconds(timestamp: str) -> float:
    *rest, seconds = timestamp.replace(",", ".").split(":")
    minutes = 0
    for part in rest:
        minutes = minutes * 60 + int(part)
    return minutes * 60 + float(seconds)


def _timestamp(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes) // 60:02}:{int(minutes) % 60:02}:{rest:06.3f}"
