"""The picture of a category or an instructor, chosen among those that staff sent."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.changes import bump_version
from domain.errors import InvalidInput
from domain.images import cleaning, image_rows
from domain.publishing.entries.category_edits import EntryKind, entry
from domain.publishing.records import Json


@dataclass(frozen=True)
class ImageChoice:
    """`image_id` None: no picture any more. `alt`: what it shows, in words."""

    image_id: int | None
    alt: str


def set_image(session: Session, kind: EntryKind, entry_id: int, choice: ImageChoice) -> None:
    """Show the picture wherever the category or instructor is shown, and record it (`Database.write_as`). A former one
    that nothing else shows is deleted. Raises NotFound, InvalidInput for an empty description."""
    row = entry(session, kind, entry_id, locks=True)
    before, after = row.image, _image(session, choice)
    if before == after:
        recording.no_change(session)
        return
    row.image = after
    session.flush()
    if before is not None:
        cleaning.delete_unused(session, str(before["src"]))
    subject = Subject(kind.noun, entry_id)
    recording.record(session, f"{kind.noun}.set_image", subject, before=_fields(before), after=_fields(after))
    bump_version(session)


def _image(session: Session, choice: ImageChoice) -> Json | None:
    if choice.image_id is None:
        return None
    alt = choice.alt.strip()
    if not alt:
        raise InvalidInput({"alt": "Say what the picture shows."})
    image = image_rows.to_show(session, choice.image_id)
    return {"src": image.src, "width": image.width, "height": image.height, "alt": alt}


def _fields(image: Json | None) -> Json:
    return {"image": None, "alt": None} if image is None else {"image": image["src"], "alt": image["alt"]}
