"""Deletes pictures that nothing shows any more: the picture of a person must not stay at its address."""

from typing import Any

from sqlalchemy import ColumnElement, String, cast, delete, select
from sqlalchemy.orm import Session

from domain.images.image_rows import digest_of, lock_address
from domain.tables import Category, Image, Instructor, Organisation, Product, ShopItem


def delete_unused(session: Session, src: str) -> None:
    """Delete the rows of the picture at this address unless something still shows it: with them the address ends. Its
    files are deleted later (`unused_files`).

    Before any plain reading of the transaction: whoever shows the picture locks it until the end, and MariaDB reads
    rows as they were at the first plain SELECT. Behind the lock that SELECT finds every use there is.
    """
    ids = lock_address(session, src)
    if ids and not _is_shown(session, src, digest_of(src)):
        session.execute(delete(Image).where(Image.id.in_(ids)))


def _is_shown(session: Session, src: str, digest: str) -> bool:
    uses = (
        select(Product.id).where(Product.image == src),
        select(Organisation.id).where(Organisation.logo == src),
        select(ShopItem.id).where(_has(ShopItem.images, digest)),
        select(Category.id).where(_has(Category.image, digest)),
        select(Instructor.id).where(_has(Instructor.image, digest)),
    )
    return any(session.scalar(use.limit(1)) is not None for use in uses)


def _has(column: Any, digest: str) -> ColumnElement[bool]:
    """Whether the JSON of the column names it. No index: pictures are few, and few of them are removed."""
    return cast(column, String).contains(digest)
