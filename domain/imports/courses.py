"""One row as a course."""

from domain.imports import composing, languages
from domain.imports.entries import STATUSES, Entry, address, doubt_about, kept, needed_price, sale_below, shelf
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
    name = values.needed("name")
    category, category_name = shelf(values)
    source_id, slug = address(values, name)
    price = needed_price(values)
    known = _known(values, name, category_name)
    subtitle, description = values.text("subtitle", 500), values.long_text("description")
    lasting = {"duration_min"} if not _says_duration(values) else set()
    record = CourseRecord(
        source_id=source_id,
        slug=slug,
        name=name,
        category=category,
        subtitle=subtitle or composing.subtitle(known),
        description=description or composing.description(known),
        is_generated=not (subtitle and description),
        level=known.level,
        language=languages.code(values.text("language")),
        duration_min=known.minutes or None,
        lesson_count=known.lessons or None,
        list_price=price,
        sale_price=sale_below(values, price),
        enrolled=values.count("enrolled") or 0,
        status=_status(values, known.minutes),
        published_at=known.published,
        provider=values.text("provider"),
        outcomes=values.listed("outcomes"),
        prerequisites=values.listed("prerequisites"),
        audience=values.listed("audience"),
        credits=_credits(values),
        keep=kept(values, _NEVER_SAID, _SOMETIMES_SAID) | lasting,
    )
    return Entry(record, category_name, doubt_about(values))


def _known(values: Values, name: str, subject: str) -> composing.Known:
    hours, minutes = values.minutes("duration_hours", per_unit=60), values.minutes("duration_min", per_unit=1)
    return composing.Known(
        name=name,
        subject=subject,
        level=values.choice("level", LEVELS) or "all",
        minutes=hours or minutes or 0,
        lessons=values.count("lesson_count") or 0,
        published=values.time("published_at"),
    )


def _status(values: Values, minutes: int) -> str:
    """What the file says; else a course that has a duration column and nothing in it is not ready to be sold."""
    said = values.choice("status", STATUSES)
    return said or ("draft" if _says_duration(values) and not minutes else "published")


def _says_duration(values: Values) -> bool:
    return values.has("duration_hours") or values.has("duration_min")


def _credits(values: Values) -> float | None:
    # NUMERIC(5,1) in the tables.
    number = values.number("credits", 9999)
    return None if number is None else round(float(number), 1)
