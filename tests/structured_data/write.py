"""Writes the structured data of one page of each kind as typed constants, for tsc to hold against schema-dts.

    python -m tests.structured_data.write [FILE]

The pages are those of the demo shop, straight from their loaders: no server, no render worker.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from multidict import MultiDict
from sqlalchemy import select
from sqlalchemy.orm import Session

from config.settings import Settings
from domain.database.database import Database, database_url
from domain.migrations import runner
from domain.seed import demo_shop
from domain.tables import Product
from host.loaders import content, course, home, item, shop
from host.rendering.page_request import Loader, PageRequest
from host.rendering.page_result import PageResult
from host.site_state import SiteCache
from tests.support.shops import USD

OUT = Path(__file__).parent / "generated.ts"
SETTINGS = {"SITE_ORIGIN": "https://shop.example", "REDIS_URL": "none"}


def constants(pages: dict[str, tuple[dict[str, Any], ...]]) -> str:
    """TypeScript: every block as a constant of its own type, so that unknown and misspelt properties are errors."""
    rows = []
    types = set()
    for page, blocks in pages.items():
        for block in blocks:
            kind = block["@type"]
            types.add(kind)
            value = json.dumps(block, ensure_ascii=False, indent=2)
            rows.append(f"export const {page}{kind}: WithContext<{kind}> = {value};\n")
    names = ", ".join(sorted({*types, "WithContext"}))
    return f"import type {{ {names} }} from 'schema-dts';\n\n" + "\n".join(rows)


def fill(folder: Path) -> None:
    """The catalogue of the demo shop as a site would load it now."""
    db = Database(database_url(None, folder), deadline_s=60)
    runner.upgrade(db.engine)
    with db.write_session() as session:
        demo_shop.load_catalogue(session, datetime.now(UTC), USD)
    db.engine.dispose()


async def blocks_of_pages(folder: Path) -> dict[str, tuple[dict[str, Any], ...]]:
    """The blocks of each page of the shop in this folder."""
    settings = Settings.from_environment({**SETTINGS, "VAR_DIR": str(folder)})
    db = Database(database_url(None, folder), deadline_s=60)
    site = SiteCache(settings, db, "build")
    await site.refresh()
    try:
        with db.read_session() as session:
            wanted = list(_wanted(session))
        return {page.name: await _blocks(settings, db, site, page) for page in wanted}
    finally:
        await db.close()


@dataclass(frozen=True)
class Wanted:
    """One page; `name` begins the names of its constants."""

    name: str
    load: Loader
    path: str
    query: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


def _wanted(session: Session) -> Iterator[Wanted]:
    live = select(Product).where(Product.kind == "course", Product.status == "published")
    on_sale = session.scalars(live.where(Product.sale_until.is_not(None), Product.rating.is_not(None))).first()
    retired = session.scalars(select(Product).where(Product.kind == "course", Product.status == "retired")).first()
    thing = session.scalars(select(Product).where(Product.kind == "item", Product.status == "published")).first()
    assert None not in (on_sale, retired, thing)
    yield Wanted("home", home.load, "/")
    yield Wanted("shop", shop.load, "/shop")
    yield Wanted("category", shop.load, "/shop", {"category": "tax"})
    yield Wanted("course", course.load, "/course-details", {"course": on_sale.slug})
    yield Wanted("retired", course.load, "/course-details", {"course": retired.slug})
    yield Wanted("item", item.load, f"/shop-details/{thing.id}", values={"id": str(thing.id)})
    yield Wanted("about", content.load_about, "/about")
    yield Wanted("contact", content.load_contact, "/contact")
    yield Wanted("policy", content.load_policy, "/refund-grievance-policy")


async def _blocks(settings: Settings, db: Database, site: SiteCache, wanted: Wanted) -> tuple[dict[str, Any], ...]:
    query, at = MultiDict(wanted.query), datetime.now(UTC)
    answer = await wanted.load(PageRequest(settings, db, site.state, wanted.path, query, wanted.values, at))
    assert isinstance(answer, PageResult)
    assert answer.status == 200, wanted.path
    # A composed page has them as text.
    return tuple(json.loads(block) if isinstance(block, bytes) else block for block in answer.head.json_ld)


def main(out: Path = OUT) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        pages = asyncio.run(blocks_of_pages(Path(folder)))
    out.write_text(constants(pages), "utf-8")


if __name__ == "__main__":
    main(*(Path(word) for word in sys.argv[1:]))
