"""Re-encoding a picture as a job: one step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.images.image_rows import NewImage, Rendition, store
from domain.jobs.claims import Claim, JobStep

KIND = "image"
# The picture and a folder for its renditions -> these. Raises Refused for a picture that cannot be used.
Convert = Callable[[Path, Path], Sequence[Rendition]]


@dataclass(frozen=True)
class ImageInput:
    """What is to be re-encoded; as JSON the input of the job."""

    upload_id: int
    name: str
    alt: str
    created_by: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def steps(claim: Claim, source: Path, files_dir: Path, convert: Convert, at: datetime) -> Iterator[JobStep]:
    """Raises Refused for a picture that cannot be used, and for one whose upload has expired."""
    if claim.processed:
        return
    about = ImageInput(**claim.input)
    if not source.is_file():
        raise Refused("The picture is no longer here. Send it again.")
    with TemporaryDirectory(prefix="picture-") as folder:
        renditions = convert(source, Path(folder))
        new = NewImage(about.name, about.alt, about.created_by)

        def work(session: Session) -> Mapping[str, Any]:
            return {"image": asdict(store(session, files_dir, renditions, new, at))}

        yield JobStep(work, 1, 1)
