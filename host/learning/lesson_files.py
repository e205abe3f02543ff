"""What a page needs to link the files of a lesson."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from config.settings import Settings
from domain.learning.files import FileRow, path_of
from host.auth.file_links import FileLinks


@dataclass(frozen=True)
class LessonFiles:
    """Links for one learner, made at one time. `video_frames`: origins whose videos a page may show."""

    links: FileLinks
    folder: Path
    learner_id: int
    at: datetime
    video_frames: tuple[str, ...] = ()

    def href(self, file: FileRow | None) -> str | None:
        """None for a file that is not there: it says so instead of leading nowhere."""
        if file is None or not path_of(self.folder, file.sha256).is_file():
            return None
        return self.links.href(file, self.learner_id, self.at)

    def is_allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}" in self.video_frames


def lesson_files(settings: Settings, links: FileLinks, learner_id: int, at: datetime) -> LessonFiles:
    return LessonFiles(links, settings.files_folder, learner_id, at, settings.video_frames)
