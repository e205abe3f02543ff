"""Which revision a database has and which is the newest, without Alembic: most starts migrate nothing, and it takes
11 MB and a tenth of a second."""

import re
from pathlib import Path

from sqlalchemy import Engine, inspect, text

VERSIONS = Path(__file__).with_name("versions")
VERSION_TABLE = "alembic_version"
# Those with a lower number were replaced by one baseline while no production database existed.
FIRST_NUMBER = 100
_NAMES = re.compile(r'^(revision|down_revision)(?::[^=\n]+)? = "([^"]+)"', re.MULTILINE)


class UnknownRevision(RuntimeError):
    """The database was created by a build with other migrations. The text says what to do."""

    def __init__(self, revision: str):
        super().__init__(
            f"The database was made by an earlier build (revision {revision}) and cannot be upgraded: delete var/ or "
            "point DATABASE_URL at an empty database, then start again."
            if is_replaced(revision)
            else f"The database was made by another build (revision {revision} is unknown to this one): start that "
            "build, or point DATABASE_URL at another database."
        )


class NoSuchRevision(RuntimeError):
    """A revision was asked for that this build does not know."""

    def __init__(self, revision: str, known: list[str]):
        super().__init__(f"There is no revision {revision!r}; this build knows {', '.join(known)}.")


def is_replaced(revision: str) -> bool:
    """Whether the revision is one of an earlier build that the baseline replaced."""
    number = revision.partition("_")[0]
    return number.isdigit() and int(number) < FIRST_NUMBER


def newest_revisions(folder: Path = VERSIONS) -> set[str]:
    """The revisions that no other one follows, read from the text of their files: one where they are a chain."""
    named: dict[str, set[str]] = {"revision": set(), "down_revision": set()}
    for file in folder.glob("*.py"):
        for kind, name in _NAMES.findall(file.read_text("utf-8")):
            named[kind].add(name)
    return named["revision"] - named["down_revision"]


def has_newest(engine: Engine) -> bool:
    """Whether the database has the newest revision. False says only that Alembic has to look."""
    with engine.connect() as connection:
        if not inspect(connection).has_table(VERSION_TABLE):
            return False
        stored = set(connection.scalars(text(f"SELECT version_num FROM {VERSION_TABLE}")))  # noqa: S608 our own name
    return len(stored) == 1 and stored == newest_revisions()
