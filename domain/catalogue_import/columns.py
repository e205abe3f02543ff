"""Which column of a file is which field of ours: the names of the usual exports, and what `--map` says."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from domain.imports.files import ImportRefused

Kind = Literal["courses", "items"]

# Field -> other names it goes by; the first that a file has is taken. Names are compared without case and punctuation.
_BOTH = {
    "source_id": ("external_id", "id"),
    "name": ("title",),
    "slug": ("url", "link", "permalink", "handle"),
    "subtitle": ("headline", "short_description", "summary"),
    "description": ("long_description", "body"),
    "category": ("subject", "topic", "category_name"),
    "list_price": ("price", "regular_price"),
    "sale_price": ("discount_price", "discounted_price"),
    "status": (),
    "published_at": ("published_timestamp", "published_time", "date_published", "created_at"),
}
_COURSES = {
    "source_id": ("course_id", *_BOTH["source_id"]),
    "name": ("course_title", "course_name", *_BOTH["name"]),
    "slug": ("course_url", *_BOTH["slug"]),
    "category": ("course_category", *_BOTH["category"]),
    "list_price": ("course_price", *_BOTH["list_price"]),
    "is_paid": ("paid",),
    "level": ("instructional_level", "course_level", "difficulty", "difficulty_level"),
    "language": ("lang", "locale"),
    "duration_hours": ("content_duration", "hours"),
    "duration_min": ("duration_minutes", "content_length_min", "minutes"),
    "lesson_count": ("num_lectures", "num_published_lectures", "lectures", "lessons"),
    "enrolled": ("num_subscribers", "subscribers", "num_students", "students", "enrollments", "learners"),
    "provider": ("institution", "university", "organization", "organisation", "partner"),
    "outcomes": ("what_you_will_learn", "objectives"),
    "prerequisites": ("requirements",),
    "audience": ("target_audience", "who_is_it_for"),
    "credits": (),
}
_ITEMS = {
    "source_id": ("item_id", "product_id", *_BOTH["source_id"]),
    "name": ("item_name", "product_name", *_BOTH["name"]),
    "sku": ("stock_number", "article_number"),
    "item_kind": ("kind", "type", "product_type"),
    "stock": ("stock_quantity", "quantity", "inventory"),
    "delivery": ("shipping",),
}
FIELDS: dict[Kind, dict[str, tuple[str, ...]]] = {"courses": _BOTH | _COURSES, "items": _BOTH | _ITEMS}
REQUIRED = ("name", "category", "list_price")

# An export of JSON objects with ever new keys must not fill the memory.
MOST_NAMES = 200


class Columns:
    """`mapping`: theirs -> ours, as given with --map; it goes before the known names.

    Raises ImportRefused when it names a field we do not have, or one of ours twice.
    """

    def __init__(self, kind: Kind, mapping: Mapping[str, str]):
        self._fields = FIELDS[kind]
        self._mapping = {folded(theirs): folded(ours) for theirs, ours in mapping.items()}
        self._seen: set[str] = set()
        self.unused: set[str] = set()
        self.of = lru_cache(16)(self._of)
        for theirs, ours in self._mapping.items():
            if ours not in self._fields:
                raise ImportRefused(
                    f"--map {theirs}={ours}: there is no field {ours}; there are {_listed(self._fields)}."
                )
        if len(set(self._mapping.values())) < len(self._mapping):
            raise ImportRefused("--map names one field of ours twice.")

    def _of(self, names: tuple[str, ...]) -> dict[str, str]:
        """Field -> the name it has among these. Names nobody knows are remembered in `unused`."""
        there = {folded(name): name for name in reversed(names)}
        self._seen |= self._mapping.keys() & there.keys()
        found = {ours: there[theirs] for theirs, ours in self._mapping.items() if theirs in there}
        for field, others in self._fields.items():
            known = [name for name in (field, *others) if name in there and name not in self._mapping]
            if known and field not in found:
                found[field] = there[known[0]]
        if len(self.unused) < MOST_NAMES:
            self.unused |= {shown(name) for name in names if name and name not in found.values()}
        return found

    def of_header(self, names: tuple[str, ...]) -> dict[str, str]:
        """The same for the one header of a CSV file; raises ImportRefused when a field every row needs is missing."""
        found = self.of(names)
        self.refuse_unseen(names)
        if missing := [field for field in REQUIRED if field not in found]:
            raise ImportRefused(
                f"The file has no column for {_listed(missing)}; its columns are {_listed(names)}. "
                "Name them with --map theirs=ours."
            )
        return found

    def refuse_unseen(self, names: Iterable[str] = ()) -> None:
        """A name given with --map that no row has is a mistake."""
        if unseen := self._mapping.keys() - self._seen:
            has = f"; it has {_listed(names)}" if names else ""
            raise ImportRefused(f"--map: the file has no column {_listed(sorted(unseen))}{has}.")


def folded(name: str) -> str:
    """Course Title -> course_title."""
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def shown(name: str) -> str:
    """A column's name for a person's terminal, whatever the file calls it."""
    return "".join(sign for sign in name[:40] if sign.isprintable())


def _listed(names: Iterable[str]) -> str:
    readable = [shown(name) for name in names]
    return ", ".join(readable[:30]) + (", …" if len(readable) > 30 else "")
