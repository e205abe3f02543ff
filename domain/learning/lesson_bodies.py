"""What lessons teach: the forms of `lesson_bodies.body`, one for each kind of lesson.

- text: {"text": Markdown}
- video: {"text", "files": [{"sha256", "media_type"}], "captions": [{"sha256", "language", "label"}], "poster": sha256
  or null, "transcript": [{"start": s, "end": s, "text"}]}; "embed": {"provider", "url", "title"} instead of "files"
- file: {"text", "sha256"}
- quiz: {"text", "questions": [...], "attempts": int or null (no limit), "wait_min": int}; a question is {"id", "kind":
  one | several | number, "text", "explanation"} with {"options": [{"id", "text", "is_right"}]} or, for a number,
  {"value", "tolerance", "unit"}
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from domain.errors import InvalidInput
from domain.search.tokenizer import index_tokens
from domain.typed_values import read_decimal

MAX_TEXT_BYTES = 200 * 1024
VIDEO_TYPES = ("video/mp4", "video/webm", "audio/mpeg", "audio/mp4")
QUESTION_KINDS = ("one", "several", "number")
MAX_QUESTIONS, MAX_OPTIONS = 100, 20
_DIGEST = re.compile(r"[0-9a-f]{64}")
# ![what it shows](/files/{sha256})
_PICTURE = re.compile(r"\]\(/files/([0-9a-f]{64})\)")
_ID = re.compile(r"[a-z0-9_-]{1,40}")

Body = Mapping[str, Any]
Problems = Iterator[tuple[str, str]]


def check(kind: str, body: Body) -> None:
    """Raises InvalidInput with every reason why this is no body of that kind."""
    problems = dict(_problems(kind, body))
    if problems:
        raise InvalidInput(problems)


def file_digests(body: Body) -> tuple[str, ...]:
    """SHA-256 of every file that the body shows or offers, pictures of its text included, each once."""
    files = [file["sha256"] for name in ("files", "captions") for file in body.get(name) or ()]
    single = [body[name] for name in ("poster", "sha256") if body.get(name)]
    return tuple(dict.fromkeys((*files, *single, *_PICTURE.findall(body.get("text", "")))))


def plain_text(body: Body) -> str:
    """The words that a learner reads before they answer anything: text, transcript and questions, not the answers'
    explanations."""
    parts = [str(body.get("text", "")), *(cue["text"] for cue in body.get("transcript") or ())]
    for question in body.get("questions") or ():
        parts += [question["text"], *(option["text"] for option in question.get("options") or ())]
    return "\n\n".join(_without_marks(part) for part in parts if part)


def search_text(body: Body) -> str:
    """The folded words, each once, with a space before each and one after the last."""
    words = dict.fromkeys(token.text for token in index_tokens(plain_text(body)))
    return f" {' '.join(words)} " if words else ""


_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+|[*_`~|]+", re.MULTILINE)


def _without_marks(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text))


def _problems(kind: str, body: Body) -> Problems:
    text = body.get("text", "")
    if not isinstance(text, str) or len(text.encode()) > MAX_TEXT_BYTES:
        yield "text", f"Give at most {MAX_TEXT_BYTES // 1024} KiB of Markdown."
    if kind == "video":
        yield from _video_problems(body)
    elif kind == "file":
        if not _is_digest(body.get("sha256")):
            yield "sha256", "Give the file that the lesson offers."
    elif kind == "quiz":
        yield from _quiz_problems(body)
    elif kind != "text":
        yield "kind", "Choose text, video, quiz or file."


def _video_problems(body: Body) -> Problems:
    files, embed = body.get("files") or (), body.get("embed")
    if bool(files) == bool(embed):
        yield "files", "Give either video files or a video of another site."
    if not all(_is_digest(file.get("sha256")) and file.get("media_type") in VIDEO_TYPES for file in files):
        yield "files", f"Each file needs its contents and one of the types {', '.join(VIDEO_TYPES)}."
    if embed and not _is_web_address(embed.get("url")):
        yield "embed", "Give the https address of the video."
    captions = body.get("captions") or ()
    # Captions of a video elsewhere are its player's.
    if files and not captions:
        yield "captions", "A video needs captions, for everybody who cannot hear it."
    if not all(_is_digest(track.get("sha256")) and track.get("language") and track.get("label") for track in captions):
        yield "captions", "Each track needs its contents, a language and a label."
    if not _has_cues(body.get("transcript") or ()):
        yield "transcript", "A video needs a transcript: what is said, with the seconds where it begins and ends."


def _has_cues(cues: Sequence[Body]) -> bool:
    return bool(cues) and all(
        _is_second(cue.get("start")) and _is_second(cue.get("end")) and cue.get("text") for cue in cues
    )


def _quiz_problems(body: Body) -> Problems:
    questions = body.get("questions") or ()
    if not 1 <= len(questions) <= MAX_QUESTIONS:
        yield "questions", f"A quiz needs 1 to {MAX_QUESTIONS} questions."
    if len({question.get("id") for question in questions}) < len(questions):
        yield "questions", "Each question needs an id of its own."
    for number, question in enumerate(questions, start=1):
        if problem := _question_problem(question):
            yield f"questions.{number}", problem
    attempts, wait_min = body.get("attempts"), body.get("wait_min", 0)
    if attempts is not None and (not _is_count(attempts) or attempts < 1):
        yield "attempts", "Give a number from 1, or none for as many as one likes."
    if not _is_count(wait_min):
        yield "wait_min", "Give minutes, or 0."


def _question_problem(question: Body) -> str | None:
    kind = question.get("kind")
    if not _ID.fullmatch(str(question.get("id", ""))) or not question.get("text") or kind not in QUESTION_KINDS:
        return f"A question needs an id, a text and one of the kinds {', '.join(QUESTION_KINDS)}."
    if kind == "number":
        is_number = _is_decimal(question.get("value")) and _is_decimal(question.get("tolerance", "0"))
        return None if is_number else "Give the right number and its tolerance as decimal text."
    options = question.get("options") or ()
    if not 2 <= len(options) <= MAX_OPTIONS or len({option.get("id") for option in options}) < len(options):
        return f"Give 2 to {MAX_OPTIONS} options, each with an id of its own."
    right = sum(bool(option.get("is_right")) for option in options)
    if right < 1 or (kind == "one" and right > 1):
        return "Mark the right option; of several, all that are right."
    return None


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_web_address(value: object) -> bool:
    return isinstance(value, str) and urlsplit(value).scheme == "https" and bool(urlsplit(value).hostname)


def _is_second(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_decimal(value: object) -> bool:
    try:
        return isinstance(value, str) and read_decimal(value).is_finite()
    except ValueError:
        return False
