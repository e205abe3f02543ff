"""The picture of a course or a shop item, chosen among those that staff sent."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.catalogue.changes import bump_version
from domain.crawlers import page_changes
from domain.errors import InvalidInput, NotFound
from domain.images import image_rows
from domain.tables import Product, ShopItem


def set_image(session: Session, product_id: int, image_id: int, alt: str, at: datetime) -> None:
    """Show the picture on the product's page and in lists, described by `alt`, and record it
    (`Database.write_as`). An item's other pictures stay. Raises NotFound, InvalidInput for an empty description."""
    if not alt.strip():
        raise InvalidInput({"alt": "Say what the picture shows."})
    product = session.get(Product, product_id, with_for_update=True)
    if product is None:
        raise NotFound("There is no such product.")
    image = image_rows.to_show(session, image_id)
    before = {"image": product.image, "alt": product.image_alt}
    after = {"image": image.src, "alt": alt.strip()}
    if before == after:
        recording.no_change(session)
        return
    product.image, product.image_alt = after["image"], after["alt"]
    product.image_width, product.image_height = image.width, image.height
    product.updated_at = at
    product.version += 1
    if product.kind == "item":
        item = session.get_one(ShopItem, product_id)
        first = {"src": image.src, "width": image.width, "height": image.height, "alt": alt.strip()}
        item.images = [first, *item.images[1:]]
    recording.record(session, "product.set_image", Subject(product.kind, product_id), before=before, after=after)
    session.flush()
    page_changes.note_content(session, [product_id], at)
    bump_version(session)
