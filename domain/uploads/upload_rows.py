"""The rows of uploads: which parts of which file are there. The contents are in one file, each part in its place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.errors import InvalidInput, NotFound, Refused
from domain.tables import Upload

MIB = 2**20
PART_BYTES = MIB
MAX_BYTES: dict[str, int] = {
    "import": 256 * MIB,
    "image": 8 * MIB,
    "lesson": 2048 * MIB,
    "members": 2 * MIB,
    "logo": 8 * MIB,
    "statement": 4 * MIB,
}
# Bytes of all files that have not expired, of one person and in all: a few of the largest purpose, and no full disk.
MAX_BYTES_EACH = 6 * 1024 * MIB
MAX_BYTES_ALL = 32 * 1024 * MIB
# Since its last part; who comes back later sends it again.
MAX_AGE = timedelta(days=1)
MAX_NAME_LENGTH = 255
# More at once are a mistake, and would fill the disk.
MAX_OPEN = 20


@dataclass(frozen=True)
class UploadView:
    """`missing`: numbers of the parts that are not there yet, from 0."""

    id: int
    name: str
    bytes: int
    purpose: str
    parts: int
    missing: tuple[int, ...]
    expires_at: datetime
    is_complete: bool

    def part_bytes(self, number: int) -> int:
        """The size that this part must have. Raises NotFound for a part that the file does not have."""
        if not 0 <= number < self.parts:
            raise NotFound("The file has no such part.")
        return min(PART_BYTES, self.bytes - number * PART_BYTES)


@dataclass(frozen=True)
class NewUpload:
    name: str
    bytes: int
    purpose: str
    created_by: int


def begin(session: Session, new: NewUpload, at: datetime) -> UploadView:
    """A new upload without any part. Raises InvalidInput for a size that the purpose does not allow, Refused for too
    many that are not complete, and for more bytes than one person or all together may keep."""
    most = MAX_BYTES[new.purpose]
    if not 0 < new.bytes <= most:
        raise InvalidInput({"bytes": f"A file for this has 1 byte to {most // MIB} MiB."})
    open_ones = select(Upload.id).where(Upload.created_by == new.created_by, Upload.completed_at.is_(None))
    if len(session.scalars(open_ones.where(Upload.expires_at > at).limit(MAX_OPEN)).all()) == MAX_OPEN:
        raise Refused(f"You have {MAX_OPEN} unfinished uploads. Finish one first, or try again tomorrow.")
    _require_room(session, new, at)
    upload = Upload(
        name=new.name[:MAX_NAME_LENGTH],
        bytes=new.bytes,
        purpose=new.purpose,
        parts="0" * -(-new.bytes // PART_BYTES),
        created_by=new.created_by,
        created_at=at,
        expires_at=at + MAX_AGE,
    )
    session.add(upload)
    session.flush()
    return _view(upload)


def own_upload(session: Session, upload_id: int, learner_id: int, at: datetime) -> UploadView:
    """Raises NotFound for an unknown one, for that of somebody else and for one that has expired alike."""
    return _view(_own(session, upload_id, learner_id, at))


def _require_room(session: Session, new: NewUpload, at: datetime) -> None:
    kept = select(func.coalesce(func.sum(Upload.bytes), 0)).where(Upload.expires_at > at)
    for query, most, whose in (
        (kept.where(Upload.created_by == new.created_by), MAX_BYTES_EACH, "Your files"),
        (kept, MAX_BYTES_ALL, "All files together"),
    ):
        if int(session.scalar(query) or 0) + new.bytes > most:
            raise Refused(
                f"{whose} of the last day would have more than {most // MIB // 1024} GiB. Try again tomorrow."
            )


@dataclass(frozen=True)
class WholePart:
    """A part that is whole; `place` puts it where it belongs in the file. Raises OSError."""

    number: int
    place: Callable[[], None]


def take_part(session: Session, upload_id: int, learner_id: int, part: WholePart, at: datetime) -> UploadView:
    """Put a part in its place while nobody else can; one that is there already stays as it is. Raises NotFound, Refused
    once the file is complete, OSError."""
    number = part.number
    upload = _own(session, upload_id, learner_id, at)
    if upload.completed_at is not None:
        raise Refused("This file is complete.")
    _view(upload).part_bytes(number)
    if upload.parts[number] == "0":
        part.place()
    upload.parts = f"{upload.parts[:number]}1{upload.parts[number + 1 :]}"
    upload.expires_at = at + MAX_AGE
    session.flush()
    return _view(upload)


@dataclass(frozen=True)
class WholeFile:
    """`digest`: the SHA-256 of the digests of its parts, one after the other, as its sender has measured it. `measure`:
    size and digest of what is on disk. `seal` makes that a file which nobody changes any more. Both raise OSError."""

    digest: bytes
    measure: Callable[[], tuple[int, bytes]]
    seal: Callable[[], None]


class OtherFile(InvalidInput):
    """The parts that are there are not those of the file that its sender has: it changed while it was sent."""

    def __init__(self) -> None:
        super().__init__({"file": "What arrived is not this file: it was changed while it was sent. Send it again."})


def complete(session: Session, upload_id: int, learner_id: int, file: WholeFile, at: datetime) -> UploadView:
    """Every part is there and the contents are what the purpose needs; again changes nothing. Raises NotFound, Refused
    while parts are missing and when the file is not as large as its parts, and OtherFile."""
    upload = _own(session, upload_id, learner_id, at)
    if "0" in upload.parts:
        raise Refused(f"{upload.parts.count('0')} of {len(upload.parts)} parts are missing.")
    size, digest = file.measure()
    if size != upload.bytes:
        raise Refused("The file is not whole on our side. Send it again.")
    if digest != file.digest:
        raise OtherFile
    if upload.completed_at is None:
        file.seal()
    upload.completed_at = upload.completed_at or at
    upload.expires_at = at + MAX_AGE
    session.flush()
    return _view(upload)


def begin_again(session: Session, upload_id: int, learner_id: int, at: datetime) -> None:
    """All parts are missing, for the sender to send them again; a complete file stays. Raises NotFound."""
    upload = _own(session, upload_id, learner_id, at)
    if upload.completed_at is None:
        upload.parts = "0" * len(upload.parts)


def expired(session: Session, at: datetime, limit: int = 100) -> Sequence[int]:
    """Uploads whose files may be deleted; then `forget` them."""
    return session.scalars(select(Upload.id).where(Upload.expires_at <= at).limit(limit)).all()


def forget(session: Session, ids: Sequence[int], at: datetime) -> int:
    """How many rows were deleted: one to which a part came meanwhile stays."""
    return affected_rows(session, delete(Upload).where(Upload.id.in_(ids), Upload.expires_at <= at))


def path_of(folder: Path, upload_id: int) -> Path:
    return folder / "uploads" / str(upload_id)


def report_path(folder: Path, upload_id: int, job_id: int) -> Path:
    """Where a job stores what it found in each row of an upload, until the upload expires."""
    return path_of(folder, upload_id).with_name(f"{upload_id}.report-{job_id}")


def try_path(folder: Path, upload_id: int, number: int) -> Path:
    """A new name for what arrives of a part: each try has a file of its own."""
    return path_of(folder, upload_id).with_name(f"{upload_id}.part-{number}.{token_hex(8)}")


def digests_path(path: Path) -> Path:
    """The SHA-256 of each part of the upload at `path`, 32 bytes at the place of its number."""
    return path.with_name(f"{path.name}.digests")


def delete_contents(folder: Path, upload_id: int) -> None:
    """The file with the digests of its parts, parts that broke off, and the reports about it. Raises OSError."""
    path = path_of(folder, upload_id)
    beside = (f"{upload_id}.{kind}" for kind in ("digests", "report-*", "part-*"))
    for file in (path, *(file for pattern in beside for file in path.parent.glob(pattern))):
        file.unlink(missing_ok=True)


def _own(session: Session, upload_id: int, learner_id: int, at: datetime) -> Upload:
    own = select(Upload).where(Upload.id == upload_id, Upload.created_by == learner_id, Upload.expires_at > at)
    # Two parts that arrive at once change one column.
    upload = session.scalar(own.with_for_update().execution_options(populate_existing=True))
    if upload is None:
        raise NotFound("There is no such upload.")
    return upload


def _view(upload: Upload) -> UploadView:
    return UploadView(
        id=upload.id,
        name=upload.name,
        bytes=upload.bytes,
        purpose=upload.purpose,
        parts=len(upload.parts),
        missing=tuple(number for number, mark in enumerate(upload.parts) if mark == "0"),
        expires_at=upload.expires_at,
        is_complete=upload.completed_at is not None,
    )
