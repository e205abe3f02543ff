"""The bodies of written lessons, from the folder of their course.

`3-a-title.md` is the text of the lesson "A title". A file `3-a-title.json` beside it says that the lesson is a quiz, a
file or a video, and holds what that needs. Files of lessons are in `files`; a body names them by their SHA-256.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from domain.learning import captions
from domain.publishing.slugs import slug_from

FOLDER = Path(__file__).parent
MEDIA_TYPES = {
    ".mp4": "video/mp4",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".sql": "application/sql",
    ".vtt": "text/vtt",
    ".webm": "video/webm",
}

Json = dict[str, Any]


def body_of(course: str, title: str) -> tuple[str, Json] | None:
    """Kind and body of a lesson by the slug of its course and its title; None where nobody has written it."""
    # Their files are named in ASCII.
    return _bodies(course).get(slug_from(title.encode("ascii", "ignore").decode()))


def files_of(course: str) -> tuple[Path, ...]:
    """The files that lessons of the course give or show."""
    return tuple(sorted((FOLDER / course / "files").glob("*")))


def courses() -> tuple[str, ...]:
    """The slugs of the written courses."""
    return tuple(sorted({path.parts[-3] for path in FOLDER.glob("*/*/*.md")}))


@cache
def _bodies(course: str) -> dict[str, tuple[str, Json]]:
    return {path.stem.partition("-")[2]: _read(path) for path in (FOLDER / course).glob("*/*.md")}


def _read(path: Path) -> tuple[str, Json]:
    text = {"text": path.read_text("utf-8")}
    extra = path.with_suffix(".json")
    if not extra.exists():
        return "text", text
    row: Json = json.loads(extra.read_text("utf-8"))
    kind = row.pop("kind")
    return kind, text | _FORMS[kind](row, path.parent.parent / "files")


def _quiz(row: Json, files: Path) -> Json:
    return row


def _file(row: Json, files: Path) -> Json:
    return {"sha256": _sha256(files / row["file"])}


def _video(row: Json, files: Path) -> Json:
    tracks = [files / item["file"] for item in row["captions"]]
    return {
        "files": [
            {"sha256": _sha256(files / name), "media_type": MEDIA_TYPES[Path(name).suffix]} for name in row["files"]
        ],
        "captions": [
            {"sha256": _sha256(path), "language": item["language"], "label": item["label"]}
            for path, item in zip(tracks, row["captions"], strict=True)
        ],
        "poster": _sha256(files / row["poster"]),
        "transcript": captions.cues(tracks[0].read_text("utf-8")),
    }


_FORMS = {"quiz": _quiz, "file": _file, "video": _video}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
