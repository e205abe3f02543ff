"""What a page needs to link the files of a lesson, and how many lessons could not be shown for the lack of one."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from aiohttp import web

from domain.learning.files import LessonFileRow, path_of
from host.app_keys import SETTINGS
from host.auth.file_links import FILE_LINKS, FileLinks


@dataclass
class UnshownLessons:
    """Lessons that were opened and could not be shown: their text, video or file is missing. Counted each time."""

    count: int = 0


UNSHOWN_LESSONS = web.AppKey("unshown_lessons", UnshownLessons)


class LessonFiles(NamedTuple):
    """Links for one learner, made at one time. `video_frames`: origins whose videos a page may show."""

    links: FileLinks
    folder: Path
    learner_id: int
    at: datetime
    unshown: UnshownLessons
    video_frames: tuple[str, ...] = ()

    def href(self, file: LessonFileRow | None) -> str | None:
        """None for a file that is not there: it says so instead of leading nowhere."""
        if file is None or not path_of(self.folder, file.sha256).is_file():
            return None
        return self.links.href(file, self.learner_id, self.at)

    def is_allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}" in self.video_frames


def lesson_files(app: web.Application, learner_id: int, at: datetime) -> LessonFiles:
    settings = app[SETTINGS]
    unshown = app[UNSHOWN_LESSONS]
    return LessonFiles(app[FILE_LINKS], settings.files_folder, learner_id, at, unshown, settings.video_frames)
