"""Videos of Open edX: where they are, and their captions in each of the forms of its exports."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

from domain.course_packages.lesson_parts import as_vtt
from domain.languages import OWN_NAMES
from domain.publishing.editing.lesson_content import CaptionTrack

# Name and text of a file of captions by the name that a video gives it; None for one that is not there.
ReadCaptions = Callable[[str], tuple[str, str] | None]
_YOUTUBE = re.compile(r"[\w-]{6,20}")


def youtube_id(block: Element) -> str:
    """The id of the video there, "" without one."""
    old = (block.get("youtube") or "").partition(",")[0].partition(":")[2]
    found = block.get("youtube_id_1_0") or old
    return found if _YOUTUBE.fullmatch(found) else ""


def sources(block: Element) -> list[str]:
    """Addresses of the video's files, in their order, each once."""
    listed: list[str] = []
    try:
        rows = json.loads(block.get("html5_sources") or "[]")
        listed = [row for row in rows if isinstance(row, str)] if isinstance(rows, list) else []
    except ValueError:
        listed = []
    sources = [source.get("src") or "" for source in block.findall("source")]
    return [*dict.fromkeys(filter(None, (*sources, *listed, block.get("source") or "")))]


def tracks(block: Element, read: ReadCaptions, lost: list[str]) -> Iterator[CaptionTrack]:
    """Captions in languages that the shop knows, English first; each language once. `lost`: of the course."""
    names: dict[str, list[str]] = {}
    for row in block.iter("transcript"):
        language = (row.get("language") or row.get("language_code") or "").casefold()
        ending = row.get("file_format") or "srt"
        fallback = f"{block.get('edx_video_id') or ''}-{row.get('language_code') or ''}.{ending}"
        names.setdefault(language, []).append(row.get("src") or fallback)
    if sub := block.get("sub"):
        names.setdefault("en", []).append(f"subs_{sub}.srt.sjson")
    for language in sorted(names, key=lambda name: (name != "en", name)):
        text = next((text for name in names[language] if (text := _captions(name, read))), "")
        if not text:
            continue
        if (known := _language(language)) is None:
            lost.append(f"Captions in “{language}” do not come along: the shop does not know this language.")
        else:
            yield CaptionTrack(known, text)


def _language(name: str) -> str | None:
    return next((known for known in (name, name.partition("-")[0], name.partition("_")[0]) if known in OWN_NAMES), None)


def _captions(name: str, read: ReadCaptions) -> str:
    if (file := read(name)) is None:
        return ""
    path, text = file
    return as_vtt(_of_sjson(text) if path.endswith(".sjson") else text)


def _of_sjson(text: str) -> str:
    """Captions of Open edX: lists of milliseconds and of texts."""
    try:
        rows = json.loads(text)
        cues = zip(rows["start"], rows["end"], rows["text"], strict=True)
        blocks = [f"{_clock(start)} --> {_clock(end)}\n{' '.join(str(words).split())}\n" for start, end, words in cues]
    except (ValueError, KeyError, TypeError):
        return ""
    return "\n".join(("WEBVTT\n", *blocks))


def _clock(milliseconds: Any) -> str:
    seconds, rest = divmod(int(milliseconds), 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"


def shown_part(block: Element) -> str:
    """The part of a video that is shown, in words."""
    end = block.get("end_time") or "00:00:00"
    return f"{block.get('start_time') or '00:00:00'} to {'its end' if end == '00:00:00' else end}"


def is_web_address(address: str) -> bool:
    """Whether a browser can open it."""
    return re.match(r"https?://", address) is not None
