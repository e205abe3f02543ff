"""Files of the demo's digital books: their rows, and the contents that `prepare` stores beside the database."""

import json
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders.item_files import DOWNLOAD
from domain.seed import book_files, file_rows
from domain.seed.file_rows import DemoFile
from domain.tables import ItemFile, Product, ShopItem

ITEMS = Path(__file__).with_name("items.json")
KINDS = (("pdf", "application/pdf", book_files.pdf), ("epub", "application/epub+zip", book_files.epub))


def contents() -> dict[str, list[tuple[str, str, bytes]]]:
    """Slug of a digital book -> its files as (name, media type, contents)."""
    books = [row for row in json.loads(ITEMS.read_text("utf-8")) if row["kind"] == "book" and row["stock"] is None]
    return {
        row["slug"]: [
            (f"{row['slug']}.{end}", media_type, make(row["name"], row["description"]))
            for end, media_type, make in KINDS
        ]
        for row in books
    }


def add(session: Session, at: datetime) -> None:
    """Give each digital book that has no files its own."""
    for slug, files in contents().items():
        query = select(ShopItem.id).join(Product, Product.id == ShopItem.id)
        has_files = select(ItemFile.file_id).where(ItemFile.item_id == ShopItem.id).exists()
        item_id = session.scalar(query.where(Product.slug == slug, ShopItem.fulfilment == DOWNLOAD, ~has_files))
        for position, (name, media_type, content) in enumerate(files if item_id is not None else ()):
            file = file_rows.add(session, DemoFile(name, media_type, content, "download"), at)
            session.add(ItemFile(item_id=item_id, file_id=file.id, position=position))
    session.flush()
