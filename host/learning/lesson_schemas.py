"""JSON of a lesson with what it teaches, by kind, and of its learner's progress."""

from datetime import datetime
from typing import Literal

from typing_extensions import TypedDict

from host.learning.course_schemas import LessonKind, LessonLink


class LessonState(TypedDict):
    """Progress in a lesson. Times are milliseconds of the server's clock. `position`: seconds of a video, thousandths
    of a text; `furthest`: the largest ever."""

    isDone: bool
    doneAt: int | None
    position: int
    positionAt: int | None
    furthest: int


class TextBody(TypedDict):
    kind: Literal["text"]
    html: str


class VideoSource(TypedDict):
    src: str
    mediaType: str


class VideoCaptions(TypedDict):
    src: str
    language: str
    label: str


class TranscriptCue(TypedDict):
    """`start` and `end` in seconds."""

    start: float
    end: float
    text: str


class VideoEmbed(TypedDict):
    """A video of another site, which the page loads when its learner asks for it. `isAllowed`: the shop's setting names
    its host; otherwise only the link is shown."""

    provider: str
    url: str
    title: str
    isAllowed: bool


class VideoBody(TypedDict):
    """Either `sources` or `embed`. Addresses of files end after some hours: the page's data has new ones. `seconds`:
    the length of the film, as its transcript has it; null without one."""

    kind: Literal["video"]
    html: str
    sources: list[VideoSource]
    captions: list[VideoCaptions]
    poster: str | None
    transcript: list[TranscriptCue]
    seconds: float | None
    embed: VideoEmbed | None


class FileBody(TypedDict):
    kind: Literal["file"]
    html: str
    name: str
    href: str
    bytes: int
    mediaType: str


class QuizBody(TypedDict):
    """The text above the questions, which the quiz's own call answers."""

    kind: Literal["quiz"]
    html: str
    questionCount: int


class MissingBody(TypedDict):
    """What the lesson teaches cannot be shown; progress can be recorded. `reference`: to quote to support."""

    kind: Literal["missing"]
    reference: str


LessonBody = TextBody | VideoBody | FileBody | QuizBody | MissingBody


class LearningLesson(TypedDict):
    """A lesson of an owned course. `changedAt`: changed since it was done; else null. `isGenerated`: the shop made a
    study sheet, because its author gave no text. `number`: its place in the outline, from 1; 0 when withdrawn."""

    id: int
    courseId: int
    title: str
    kind: LessonKind
    minutes: int
    number: int
    section: str
    isRequired: bool
    isWithdrawn: bool
    isGenerated: bool
    revision: int
    updatedAt: datetime
    changedAt: datetime | None
    body: LessonBody
    state: LessonState
    previous: LessonLink | None
    next: LessonLink | None
