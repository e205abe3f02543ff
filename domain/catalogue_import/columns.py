"""Maps the columns of a file to our fields: by the names of common exports, by a preset, or as `--map` says."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from domain.catalogue_import.presets import PRESETS, Kind, Preset, columns_of
from domain.catalogue_import.read_lines import UTF8, Encoding, ImportRefused
from domain.typed_values import DecimalSign

# Field -> its other names; the first that a file has is used. Names are compared without case and punctuation.
_BOTH = {
    "source_id": ("external_id", "id"),
    "name": ("title",),
    "slug": ("url", "link", "permalink", "handle"),
    "subtitle": ("headline", "short_description", "summary"),
    "description": ("long_description", "body", "body_html"),
    "category": ("subject", "topic", "category_name", "categories"),
    "list_price": ("price", "regular_price"),
    "sale_price": ("discount_price", "discounted_price"),
    # The price before a reduction, beside the price of now.
    "compare_at_price": ("variant_compare_at_price",),
    "currency": ("currency_code", "price_currency"),
    "status": (),
    "published": ("is_published", "visible"),
    "visibility": ("visibility_in_catalog", "catalog_visibility"),
    "archived": ("retired", "is_archived", "is_retired"),
    "published_at": ("published_timestamp", "published_time", "date_published", "created_at"),
}
_COURSES = {
    "source_id": ("course_id", *_BOTH["source_id"]),
    "name": ("course_title", "course_name", *_BOTH["name"]),
    "slug": ("course_url", *_BOTH["slug"]),
    "category": ("course_category", *_BOTH["category"]),
    "list_price": ("course_price", *_BOTH["list_price"]),
    "is_paid": ("paid",),
    "level": ("instructional_level", "course_level", "difficulty", "difficulty_level", "course_difficulty"),
    "language": ("lang", "locale", "course_language"),
    "duration": ("study_time", "course_length", "course_duration", "estimated_duration", "time_to_complete"),
    "duration_hours": ("content_duration", "hours"),
    "duration_min": ("duration_minutes", "content_length_min", "minutes"),
    "duration_weeks": ("estimated_weeks", "weeks"),
    "hours_per_week": ("estimated_hours_per_week", "course_effort", "effort", "student_effort", "weekly_hours"),
    "enrolled": (
        *("num_subscribers", "subscribers", "num_students", "students", "enrollments", "learners", "n_enrolled"),
        *("course_students_enrolled", "students_enrolled"),
    ),
    "provider": ("institution", "university", "organization", "organisation", "partner", "course_organization"),
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
    # The form of a product in the export of another shop: simple, variable, variation, grouped, external.
    "form": (),
    "parent": ("parent_sku", "parent_id"),
    "stock": ("stock_quantity", "quantity", "inventory"),
    "in_stock": (),
    "delivery": ("shipping",),
    "fulfilment": (),
    "weight_g": ("grams",),
    "weight_kg": (),
    "tax_class": (),
}
FIELDS: dict[Kind, dict[str, tuple[str, ...]]] = {"courses": _BOTH | _COURSES, "items": _BOTH | _ITEMS}
REQUIRED = ("name", "category", "list_price")

# Limits the memory for a file of JSON objects with different keys in each.
MAX_NAMES = 200


@dataclasses.dataclass(frozen=True)
class ColumnRules:
    """How a file is read. `mapping`: their name -> our field, before the known names. `constants`: our
    field -> its value in rows that have none. `ignored`: columns that are left out. `words`: our field -> the file's
    words -> what they mean; "" means nothing. `preset`: the program that wrote the file, "" for none."""

    mapping: Mapping[str, str] = dataclasses.field(default_factory=dict)
    constants: Mapping[str, str] = dataclasses.field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    decimal: DecimalSign = "."
    encoding: Encoding = UTF8
    preset: str = ""


NO_RULES = ColumnRules()


class Columns:
    """Raises ImportRefused when a rule names an unknown field or preset, or --map one field twice."""

    def __init__(self, kind: Kind, rules: ColumnRules):
        self._fields = FIELDS[kind]
        self._preset = _preset(kind, rules.preset)
        self._mapping = {normalised(theirs): normalised(ours) for theirs, ours in rules.mapping.items()}
        self._ignored = {normalised(theirs) for theirs in rules.ignored}
        self._seen: set[str] = set()
        self.unused: set[str] = set()
        self.of = lru_cache(16)(self._of)
        self.second = lru_cache(16)(self._second)
        for theirs, ours in self._mapping.items():
            self._require_field(f"--map {theirs}={ours}", ours)
        if len(set(self._mapping.values())) < len(self._mapping):
            raise ImportRefused("Two columns are read as one field (--map). Choose another field for one of them.")
        if both := self._ignored & self._mapping.keys():
            raise ImportRefused(f"{_joined_names(sorted(both))} is both read (--map) and left out (--ignore).")
        self.constants = {normalised(ours): value for ours, value in rules.constants.items()}
        for ours in self.constants:
            self._require_field("--set", ours)
        self.words = {
            normalised(ours): {normalised_word(word): meaning for word, meaning in words.items()}
            for ours, words in rules.words.items()
        }
        for ours in self.words:
            self._require_field("--word", ours)

    def _require_field(self, rule: str, ours: str) -> None:
        if ours not in self._fields:
            raise ImportRefused(f"{rule}: there is no field {ours}; there are {_joined_names(self._fields)}.")

    def _of(self, names: tuple[str, ...]) -> dict[str, str]:
        """Field -> its name in the file. Unknown names are collected in `unused`."""
        present = {normalised(name): name for name in reversed(names)}
        self._seen |= (self._mapping.keys() | self._ignored) & present.keys()
        columns = {ours: present[theirs] for theirs, ours in self._mapping.items() if theirs in present}
        free = {name for name in present if name not in self._mapping and name not in self._ignored}
        preset = columns_of(self._preset)
        for theirs, ours in preset.items():
            if theirs in free and ours in self._fields and ours not in columns:
                columns[ours] = present[theirs]
        free -= preset.keys()
        for field, others in self._fields.items():
            known = [name for name in (field, *others) if name in free]
            if known and field not in columns:
                columns[field] = present[known[0]]
        if len(self.unused) < MAX_NAMES:
            self.unused |= {display_name(name) for name in names if name and name not in columns.values()}
        return columns

    def _second(self, names: tuple[str, ...]) -> dict[str, str]:
        """Field -> the column that counts where its first one is empty, of the columns that the preset knows."""
        first, present = self.of(names), {normalised(name): name for name in reversed(names)}
        free = {name: ours for name, ours in columns_of(self._preset).items() if name in present}
        second = {
            ours: present[name]
            for name, ours in reversed(free.items())
            if ours in first and first[ours] != present[name] and name not in self._ignored | self._mapping.keys()
        }
        self.unused -= {display_name(name) for name in second.values()}
        return second

    def of_header(self, names: tuple[str, ...], doubled: Mapping[str, list[str]]) -> dict[str, str]:
        """Field -> its column in the header of a CSV file. Raises ImportRefused when a required field is missing, and
        when two columns have the name of one that is used."""
        columns = self.of(names)
        self.refuse_unknown(names)
        for name, others in doubled.items():
            is_chosen = normalised(name) in self._mapping or all(normalised(other) in self._seen for other in others)
            if name in columns.values() and not is_chosen:
                raise ImportRefused(
                    f"{len(others) + 1} columns are named {display_name(name)}: leave all but one out (--ignore; the "
                    f"second is “{display_name(others[0])}”)."
                )
        if missing := [field for field in REQUIRED if field not in columns and field not in self.constants]:
            raise ImportRefused(
                f"The file has no column for {_joined_names(missing)}; its columns are {_joined_names(names)}. "
                "Name them with --map COLUMN=FIELD, or give all rows a value with --set FIELD=VALUE."
            )
        return columns

    def refuse_unknown(self, names: Iterable[str] = ()) -> None:
        """Raise ImportRefused when --map or --ignore names a column that no row has."""
        for rule, theirs in (("--map", self._mapping.keys()), ("--ignore", self._ignored)):
            if unseen := theirs - self._seen:
                has = f"; it has {_joined_names(names)}" if names else ""
                raise ImportRefused(f"{rule}: the file has no column {_joined_names(sorted(unseen))}{has}.")


def _preset(kind: Kind, name: str) -> Preset | None:
    if not name:
        return None
    if name not in PRESETS:
        raise ImportRefused(f"There is no preset {display_name(name)}; there are {_joined_names(PRESETS)}.")
    return PRESETS[name]


def normalised(name: str) -> str:
    """Course Title -> course_title."""
    return "_".join(re.findall(r"[^\W_]+", name.casefold()))


def normalised_word(text: str) -> str:
    """A value as rules for words compare it: without regard to case and surplus white space."""
    return " ".join(text.casefold().split())


def display_name(name: str) -> str:
    """A column's name without control characters, safe to print on a terminal."""
    return "".join(character for character in name[:40] if character.isprintable())


def _joined_names(names: Iterable[str]) -> str:
    readable = [display_name(name) for name in names]
    return ", ".join(readable[:30]) + (", …" if len(readable) > 30 else "")
