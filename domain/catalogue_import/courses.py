"""Converts a row to a course."""

from datetime import datetime

from domain.catalogue_import import generated_texts
from domain.catalogue_import.shared_fields import STATUSES, ImportedRow, doubt, preserved_fields, shared_fields
from domain.catalogue_import.values import RowValues
from domain.languages import language_code
from domain.publishing import CourseRecord

LEVELS = {
    **dict.fromkeys(("beginner", "beginner level", "beginners", "introductory"), "beginner"),
    **dict.fromkeys(("intermediate", "intermediate level"), "intermediate"),
    **dict.fromkeys(("advanced", "advanced level", "expert", "expert level"), "advanced"),
    **dict.fromkeys(("all", "all levels", "mixed"), "all"),
}

# No import contains the first group, and the second only when the file has the column: else stored values stay.
_NEVER_IN_IMPORTS = frozenset({"featured", "faq", "sale_from", "sale_until", "successor_id"})
_SOMETIMES_IN_IMPORTS = (
    "sale_price",
    "status",
    "level",
    "language",
    "enrolled",
    "provider",
    "outcomes",
    "prerequisites",
    "audience",
    "credits",
)


def course(values: RowValues) -> ImportedRow:
    """Raises BadRow."""
    fields, category_name = shared_fields(values)
    facts = _facts(values, fields["name"], category_name, fields["published_at"])
    subtitle, description = values.text("subtitle", 500), values.long_text("description")
    record = CourseRecord(
        **fields,
        subtitle=subtitle or generated_texts.subtitle(facts),
        description=description or generated_texts.description(facts),
        is_generated=not (subtitle and description),
        level=facts.level,
        language=language_code(values.text("language")),
        duration_min=facts.minutes or None,
        enrolled=values.count("enrolled") or 0,
        status=_status(values, facts.minutes),
        provider=values.text("provider"),
        outcomes=values.texts("outcomes"),
        prerequisites=values.texts("prerequisites"),
        audience=values.texts("audience"),
        credits=_credits(values),
        preserved_fields=_preserved_fields(values),
    )
    return ImportedRow(record, category_name, doubt(values))


def _facts(values: RowValues, name: str, subject: str, published: datetime | None) -> generated_texts.CourseFacts:
    hours, minutes = values.minutes("duration_hours", per_unit=60), values.minutes("duration_min", per_unit=1)
    return generated_texts.CourseFacts(
        name=name,
        subject=subject,
        level=values.choice("level", LEVELS) or "all",
        minutes=hours or minutes or 0,
        published=published,
    )


def _status(values: RowValues, minutes: int) -> str:
    """The status in the file; without one, a course with an empty duration column becomes a draft."""
    status = values.choice("status", STATUSES)
    return status or ("draft" if _has_duration(values) and not minutes else "published")


def _preserved_fields(values: RowValues) -> frozenset[str]:
    names = preserved_fields(values, _NEVER_IN_IMPORTS, _SOMETIMES_IN_IMPORTS)
    return names if _has_duration(values) else names | {"duration_min"}


def _has_duration(values: RowValues) -> bool:
    return values.has("duration_hours") or values.has("duration_min")


def _credits(values: RowValues) -> float | None:
    # The column is NUMERIC(5,1).
    number = values.number("credits", 9999)
    return None if number is None else round(float(number), 1)
