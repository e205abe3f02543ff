"""Maps the columns of a file to our fields: by the names of common exports, or as `--map` says."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from domain.catalogue_import.read_lines import ImportRefused

Kind = Literal["courses", "items"]

# Field -> its other names; the first that a file has is used. Names are compared without case and punctuation.
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
    "fulfilment": (),
    "weight_g": ("grams",),
    "tax_class": (),
}
FIELDS: dict[Kind, dict[str, tuple[str, ...]]] = {"courses": _BOTH | _COURSES, "items": _BOTH | _ITEMS}
REQUIRED = ("name", "category", "list_price")

# Limits the memory for a file of JSON objects with different keys in each.
MAX_NAMES = 200


@dataclasses.dataclass(frozen=True)
class ColumnRules:
    """`mapping`: their name -> our field, from --map; it takes precedence over the known names. `constants`: our field
    -> its value in rows that have none, from --set."""

    mapping: Mapping[str, str] = dataclasses.field(default_factory=dict)
    constants: Mapping[str, str] = dataclasses.field(default_factory=dict)


NO_RULES = ColumnRules()


class Columns:
    """Raises ImportRefused when a rule names an unknown field, or --map one field twice."""

    def __init__(self, kind: Kind, rules: ColumnRules):
        self._fields = FIELDS[kind]
        self._mapping = {normalised(theirs): normalised(ours) for theirs, ours in rules.mapping.items()}
        self._seen: set[str] = set()
        self.unused: set[str] = set()
        self.of = lru_cache(16)(self._of)
        for theirs, ours in self._mapping.items():
            if ours not in self._fields:
                raise ImportRefused(
                    f"--map {theirs}={ours}: there is no field {ours}; there are {_joined_names(self._fields)}."
                )
        if len(set(self._mapping.values())) < len(self._mapping):
            raise ImportRefused("Two columns are read as one field (--map). Choose another field for one of them.")
        self.constants = {normalised(ours): value for ours, value in rules.constants.items()}
        for ours in self.constants:
            if ours not in self._fields:
                raise ImportRefused(f"--set: there is no field {ours}; there are {_joined_names(self._fields)}.")

    def _of(self, names: tuple[str, ...]) -> dict[str, str]:
        """Field -> its name in the file. Unknown names are collected in `unused`."""
        present = {normalised(name): name for name in reversed(names)}
        self._seen |= self._mapping.keys() & present.keys()
        columns = {ours: present[theirs] for theirs, ours in self._mapping.items() if theirs in present}
        for field, others in self._fields.items():
            known = [name for name in (field, *others) if name in present and name not in self._mapping]
            if known and field not in columns:
                columns[field] = present[known[0]]
        if len(self.unused) < MAX_NAMES:
            self.unused |= {display_name(name) for name in names if name and name not in columns.values()}
        return columns

    def of_header(self, names: tuple[str, ...]) -> dict[str, str]:
        """Field -> its column in the header of a CSV file. Raises ImportRefused when a required field is missing."""
        columns = self.of(names)
        self.refuse_unknown(names)
        if missing := [field for field in REQUIRED if field not in columns and field not in self.constants]:
            raise ImportRefused(
                f"The file has no column for {_joined_names(missing)}; its columns are {_joined_names(names)}. "
                "Name them with --map COLUMN=FIELD, or give all rows a value with --set FIELD=VALUE."
            )
        return columns

    def refuse_unknown(self, names: Iterable[str] = ()) -> None:
        """Raise ImportRefused when --map names a column that no row has."""
        if unseen := self._mapping.keys() - self._seen:
            has = f"; it has {_joined_names(names)}" if names else ""
            raise ImportRefused(f"--map: the file has no column {_joined_names(sorted(unseen))}{has}.")


def normalised(name: str) -> str:
    """Course Title -> course_title."""
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def display_name(name: str) -> str:
    """A column's name without control characters, safe to print on a terminal."""
    return "".join(character for character in name[:40] if character.isprintable())


def _joined_names(names: Iterable[str]) -> str:
    readable = [display_name(name) for name in names]
    return ", ".join(readable[:30]) + (", …" if len(readable) > 30 else "")
