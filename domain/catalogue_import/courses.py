"""One row as a course."""

from datetime import datetime

from domain.imports import composing, languages
from domain.imports.entries import STATUSES, Entry, doubt_about, kept, shared
from domain.imports.fields import Values
from domain.publishing import CourseRecord

LEVELS = {
    **dict.fromkeys(("beginner", "beginner level", "beginners", "introductory"), "beginner"),
    **dict.fromkeys(("intermediate", "intermediate level"), "intermediate"),
    **dict.fromkeys(("advanced", "advanced level", "expert", "expert level"), "advanced"),
    **dict.fromkeys(("all", "all levels", "mixed"), "all"),
}

# No column of a file speaks of these, and of the others only when it is there: what people changed since stays.
_NEVER_SAID = frozenset({"featured", "sections", "faq", "sale_from", "sale_until", "successor_id"})
_SOMETIMES_SAID = (
    "sale_price",
    "status",
    "level",
    "language",
    "lesson_count",
    "enrolled",
    "provider",
    "outcomes",
    "prerequisites",
    "audience",
    "credits",
)


def course(values: Values) -> Entry:
    """Raises BadRow."""
    fields, category_name = shared(values)
    known = _known(values, fields["name"], category_name, fields["published_at"])
    subtitle, description = values.text("subtitle", 500), values.long_text("description")
    record = CourseRecord(
        **fields,
        subtitle=subtitle or composing.subtitle(known),
        description=description or composing.description(known),
        is_generated=not (subtitle and description),
        level=known.level,
        language=languages.code(values.text("language")),
        duration_min=known.minutes or None,
        lesson_count=known.lessons or None,
        enrolled=values.count("enrolled") or 0,
        status=_status(values, known.minutes),
        provider=values.text("provider"),
        outcomes=values.listed("outcomes"),
        prerequisites=values.listed("prerequisites"),
        audience=values.listed("audience"),
        credits=_credits(values),
        keep=_kept(values),
    )
    return Entry(record, category_name, doubt_about(values))


def _known(values: Values, name: str, subject: str, published: datetime | None) -> composing.Known:
    hours, minutes = values.minutes("duration_hours", per_unit=60), values.minutes("duration_min", per_unit=1)
    return composing.Known(
        name=name,
        subject=subject,
        level=values.choice("level", LEVELS) or "all",
        minutes=hours or minutes or 0,
        lessons=values.count("lesson_count") or 0,
        published=published,
    )


def _status(values: Values, minutes: int) -> str:
    """What the file says; else a course that has a duration column and nothing in it is not ready to be sold."""
    said = values.choice("status", STATUSES)
    return said or ("draft" if _says_duration(values) and not minutes else "published")


def _kept(values: Values) -> frozenset[str]:
    names = kept(values, _NEVER_SAID, _SOMETIMES_SAID)
    return names if _says_duration(values) else names | {"duration_min"}


def _says_duration(values: Values) -> bool:
    return values.has("duration_hours") or values.has("duration_min")


def _credits(values: Values) -> float | None:
    # NUMERIC(5,1) in the tables.
    number = values.number("credits", 9999)
    return None if number is None else round(float(number), 1)
