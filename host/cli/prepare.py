"""`python -m host prepare`: migrations, and the demo shop in an empty development database."""

import argparse
import sys
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from domain import migrations, publishing, search, seed
from domain.db import Database
from domain.tables import Product
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-demo", action="store_true", help="leave an empty shop empty")


def run(args: argparse.Namespace, settings: Settings) -> int:
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    db = Database(settings.database_url, deadline_s=60, busy_ms=60_000)
    try:
        if not migrations.is_current(db.engine):
            migrations.upgrade(db.engine)
            with db.session() as session:
                publishing.complete_texts(session)
            _index(db)
        if not (settings.is_production or args.no_demo):
            _fill(db)
    except SQLAlchemyError as error:
        print(f"The records cannot be prepared: {error}".splitlines()[0], file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()
    return 0


def _index(db: Database) -> None:
    """A catalogue from before there was search is indexed once; afterwards whoever writes keeps the index."""
    with db.reading() as session:
        is_missing = search.is_missing(session)
    if is_missing:
        print("Indexing the catalogue for search.", file=sys.stderr)
        search.rebuild(db.session)


def _fill(db: Database) -> None:
    with db.session() as session:
        if session.scalar(select(Product.id).limit(1)) is None:
            seed.load(session, datetime.now(UTC))
        else:
            seed.complete(session, datetime.now(UTC))
