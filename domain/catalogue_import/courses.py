"""Converts a row to a course."""

from collections.abc import Callable

from domain.catalogue_import import generated_texts, languages
from domain.catalogue_import.durations import Effort
from domain.catalogue_import.shared_fields import (
    ALWAYS_READ,
    ImportedRow,
    SharedFields,
    optional_fields,
    preserved_fields,
    shared_fields,
)
from domain.catalogue_import.states import has_state, state
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.words import LEVELS
from domain.publishing.records import CourseRecord

# No import contains the first group, and the last only when the file has the column: else stored values stay. Every row
# has those between, or they are made of others.
_NEVER_IN_IMPORTS = frozenset({"featured", "faq", "sale_from", "sale_until", "successor_id"})
_ALWAYS_IN_IMPORTS = (*ALWAYS_READ, "subtitle", "description", "duration_min")
_SOMETIMES_IN_IMPORTS = optional_fields("courses", CourseRecord, _ALWAYS_IN_IMPORTS)


# Field -> what a number without a unit counts in it.
EFFORTS = {
    "duration": "",
    "duration_hours": "hours",
    "duration_min": "minutes",
    "duration_weeks": "weeks",
    "hours_per_week": "weekly",
}


def course(values: RowValues) -> ImportedRow:
    """Raises BadRow."""
    provider = values.maybe(values.provider_of, "provider") or ""
    shared = shared_fields(values, provider=provider)
    facts = _facts(values, shared)
    subtitle = values.maybe(values.text, "subtitle", 500) or ""
    description = values.maybe(values.markdown, "description") or ""
    language = values.maybe(_language(values), "language")
    record = CourseRecord(
        **shared.fields,
        subtitle=subtitle or generated_texts.subtitle(facts),
        description=description or generated_texts.description(facts),
        is_generated=not (subtitle and description),
        level=facts.level,
        language=language,
        duration_min=facts.minutes or None,
        enrolled=values.maybe(values.count, "enrolled") or 0,
        status=_status(values, facts.minutes),
        provider=provider,
        outcomes=values.maybe(values.texts, "outcomes") or [],
        prerequisites=values.maybe(values.texts, "prerequisites") or [],
        audience=values.maybe(values.texts, "audience") or [],
        credits=_credits(values),
        preserved_fields=_preserved_fields(values),
    )
    return shared.imported(record, values)


def _facts(values: RowValues, shared: SharedFields) -> generated_texts.ImportedCourseFacts:
    return generated_texts.ImportedCourseFacts(
        name=shared.fields["name"],
        subject=shared.category_name,
        level=values.maybe(values.choice, "level", LEVELS) or "all",
        minutes=_minutes(values),
        published=shared.fields["published_at"],
    )


def _minutes(values: RowValues) -> int:
    """The duration that the columns together make; 0 when they make none."""
    effort = Effort()
    if values.beside_price is not None and not any(values.has(field) for field in EFFORTS):
        effort = values.beside_price
    for field, bare in EFFORTS.items():
        if values.has(field) and (found := values.maybe(values.effort, field, bare)):
            effort = effort.merged(found)
    total = effort.total
    if total is None and (effort.weeks or effort.weekly):
        known, missing = ("weeks", "hours_per_week") if effort.weeks else ("hours a week", "duration_weeks")
        values.doubts.append(f"has a number of {known} alone, which is no duration (set {missing})")
    return total or 0


def _language(values: RowValues) -> Callable[[str], str | None]:
    def read(field: str) -> str | None:
        text = values.word(field)
        code = languages.code(text)
        if text and code is None:
            values.refuse_field(field, f"{text[:40]!r} is no language that is known")
        return code

    return read


def _status(values: RowValues, minutes: int) -> str:
    """The state in the file; without one, a course with an empty duration column becomes a draft."""
    return state(values) or ("draft" if _has_duration(values) and not minutes else "published")


def _preserved_fields(values: RowValues) -> frozenset[str]:
    names = preserved_fields(values, _NEVER_IN_IMPORTS, _SOMETIMES_IN_IMPORTS)
    names = names - {"status"} if has_state(values) else names
    return names if _has_duration(values) else names | {"duration_min"}


def _has_duration(values: RowValues) -> bool:
    return values.beside_price is not None or any(values.has(field) for field in EFFORTS)


def _credits(values: RowValues) -> float | None:
    # The column is NUMERIC(5,1).
    number = values.maybe(values.number, "credits", 9999)
    return None if number is None else round(float(number), 1)
