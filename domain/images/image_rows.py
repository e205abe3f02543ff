"""The rows of pictures. Their address holds the SHA-256 of the largest rendition; smaller ones are named beside it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.learning import files
from domain.learning.files import PICTURE_KIND, FileFacts
from domain.tables import Image

MAX_ALT_LENGTH = 500
MEDIA_TYPE = "image/webp"
NOT_THERE = "There is no such picture."
# Widths in pixels beside the largest, which is at most 1600.
SMALLER_WIDTHS = (400, 800)
_ADDRESS = re.compile(r"/files/([0-9a-f]{64})\.webp")


@dataclass(frozen=True)
class Rendition:
    """A WebP file of a picture, in pixels."""

    path: Path
    width: int
    height: int


@dataclass(frozen=True)
class NewImage:
    """What whoever sent it says of it. `alt`: what it shows, in words."""

    name: str
    alt: str
    created_by: int


@dataclass(frozen=True)
class StoredImage:
    """`src`: the address of the largest rendition, `width` and `height` its size."""

    id: int
    src: str
    width: int
    height: int
    alt: str


def address_of(sha256: str) -> str:
    return f"/files/{sha256}.webp"


def smaller_widths(src: str, width: int) -> list[int]:
    """The widths that a picture with this address has beside its own; [] for one that staff did not send. Its smaller
    renditions are at {src without .webp}-{width}.webp."""
    return [smaller for smaller in SMALLER_WIDTHS if smaller < width] if _ADDRESS.fullmatch(src) else []


def store(
    session: Session, files_dir: Path, renditions: Sequence[Rendition], new: NewImage, at: datetime
) -> StoredImage:
    """Store the renditions, the largest first, as files and the picture as a row. Another one with the same pixels is
    a row of its own, because what it shows may be said in other words."""
    digests = {}
    for rendition in renditions:
        facts = FileFacts(
            f"{rendition.width}.webp", MEDIA_TYPE, PICTURE_KIND, rendition.width, rendition.height, None, new.created_by
        )
        row = files.store(session, files_dir, rendition.path.read_bytes(), facts, at)
        digests[str(rendition.width)] = row.sha256
    largest = renditions[0]
    image = Image(sha256=digests[str(largest.width)], width=largest.width, height=largest.height, sizes=digests)
    image.name, image.alt, image.created_at, image.created_by = new.name, new.alt, at, new.created_by
    session.add(image)
    session.flush()
    return _view(image)


def to_show(session: Session, image_id: int) -> StoredImage:
    """A picture that this transaction shows somewhere: until its end nobody deletes it. Raises NotFound."""
    image = session.get(Image, image_id, with_for_update=True, populate_existing=True)
    if image is None:
        raise NotFound(NOT_THERE)
    return _view(image)


def digest_of(src: str) -> str:
    """The SHA-256 in the address of a picture that staff sent; "" for another address."""
    found = _ADDRESS.fullmatch(src)
    return "" if found is None else found[1]


def lock_address(session: Session, src: str) -> list[int]:
    """The ids of the pictures at this address, which nobody else shows or deletes until the transaction ends; [] for an
    address of something else."""
    digest = digest_of(src)
    query = select(Image.id).where(Image.sha256 == digest).order_by(Image.id)
    return list(session.scalars(query.with_for_update())) if digest else []


def require_address(session: Session, src: str) -> None:
    """Lock the pictures at this address (`lock_address`). Raises NotFound without one: staff sent no such picture."""
    if not lock_address(session, src):
        raise NotFound(NOT_THERE)


def public_file(session: Session, sha256: str, width: int | None) -> str | None:
    """The SHA-256 of the file at the address of a picture, of its smaller rendition with `width`; None for all files
    that are no pictures of the site, such as those of lessons."""
    sizes = session.scalar(select(Image.sizes).where(Image.sha256 == sha256).limit(1))
    if sizes is None:
        return None
    return sha256 if width is None else sizes.get(str(width))


def _view(image: Image) -> StoredImage:
    return StoredImage(image.id, address_of(image.sha256), image.width, image.height, image.alt)
