"""The legal pages of the demo shop, as its staff would have written them: a title, a description and Markdown."""

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.tables import ContentPage

FOLDER = Path(__file__).parent / "legal"
AGE = timedelta(days=60)


def add(session: Session, at: datetime) -> None:
    """Publish the pages that the shop does not have yet. A file is a heading, a line of description, and the text."""
    present = set(session.scalars(select(ContentPage.slug)))
    for path in sorted(FOLDER.glob("*.md")):
        if path.stem not in present:
            title, description, body = path.read_text("utf-8").split("\n\n", 2)
            session.add(
                ContentPage(
                    slug=path.stem,
                    version=1,
                    title=title.removeprefix("# "),
                    description=description,
                    body=body.strip(),
                    meta={},
                    published_at=at - AGE,
                )
            )
    session.flush()
