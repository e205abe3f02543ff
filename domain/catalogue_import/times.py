"""Times and days as people and programs write them."""

import re
from datetime import UTC, datetime, timedelta, timezone

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero gennaio janeiro",
            "feb february februar février febrero febbraio fevereiro",
            "mar march märz mars marzo março",
            "apr april avril abril aprile",
            "may mai mayo maggio maio",
            "jun june juni juin junio giugno junho",
            "jul july juli juillet julio luglio julho",
            "aug august août agosto",
            "sep sept september septembre septiembre settembre setembro",
            "oct october oktober octobre octubre ottobre outubro okt",
            "nov november novembre noviembre novembro",
            "dec december dezember décembre diciembre dicembre dezembro dez",
        ),
        start=1,
    )
    for name in names.split()
}
# Hours from UTC of the abbreviations that American sites write.
_HOURS_FROM_UTC = "utc 0 gmt 0 z 0 pst -8 pdt -7 mst -7 mdt -6 cst -6 cdt -5 est -5 edt -4 cet 1 cest 2"
_HOURS = _HOURS_FROM_UTC.split()
_ZONES = dict(zip(_HOURS[::2], map(int, _HOURS[1::2]), strict=True))
_CLOCK = (
    r"(?:[,\s]+(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?\s*(?P<half>[ap]\.?m\.?)?\s*"
    r"(?P<zone>[a-z]{1,4})?)?"
)
_MONTH = r"(?P<name>[^\W\d_]{3,10})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_YEAR = r"(?P<year>\d{4})"
_FORMS = tuple(
    re.compile(form + _CLOCK, re.IGNORECASE)
    for form in (
        rf"(?:[^\W\d_]+,\s*)?{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"(?:[^\W\d_]+,\s*)?{_DAY}[\s-]+(?:de\s+|of\s+)?{_MONTH},?[\s-]+(?:de\s+)?{_YEAR}",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})",
        r"(?P<year>\d{4})[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})",
        r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})",
    )
)


def read_time(text: str) -> datetime:
    """The time in UTC; a day begins at midnight. "08/17/2020" is read where one number can only be the day. Raises
    ValueError."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = _of_words(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _of_words(text: str) -> datetime:
    if re.fullmatch(r"1\d{9}(?:\d{3})?", text):
        return datetime.fromtimestamp(int(text[:10]), UTC)
    for form in _FORMS:
        if match := form.fullmatch(text.strip()):
            found = match.groupdict()
            day, month = _day_and_month(found)
            hour = int(found["hour"] or 0)
            if found["half"]:
                hour = hour % 12 + (12 if found["half"][0] in "pP" else 0)
            zone = timezone(timedelta(hours=_hours_of(found["zone"] or "utc")))
            return datetime(int(found["year"]), month, day, hour, int(found["minute"] or 0), tzinfo=zone)
    raise ValueError(text)


def _hours_of(zone: str) -> int:
    if zone.casefold() not in _ZONES:
        raise ValueError(f"{zone} is no time zone")
    return _ZONES[zone.casefold()]


def _day_and_month(found: dict[str, str | None]) -> tuple[int, int]:
    if name := found.get("name"):
        return int(found["day"] or 0), _MONTHS.get(name.casefold(), 0)
    if found.get("month"):
        return int(found["day"] or 0), int(found["month"] or 0)
    first, second = int(found["first"] or 0), int(found["second"] or 0)
    if first <= 12 and second <= 12 and first != second:
        raise ValueError("the day may be the month")
    return (second, first) if first <= 12 else (first, second)
