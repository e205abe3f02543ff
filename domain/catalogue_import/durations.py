# ruff: noqa: RUF001 words of other scripts look like Latin ones
"""Durations and efforts as people write them: "1h 30m", "Approx. 33 hours", "2 months at 10 hours a week"."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from domain.typed_values import DecimalSign, read_grouped

WEEKS_IN_MONTH = Decimal(52) / 12
_UNITS = {
    "minutes": r"minutes?|minuten|minutos?|minuti|minut[aeyo]?|mins?|минут\w*|мин|хвилин\w*|хв|分钟|分鐘|分|분|دقيقة|m",
    "hours": r"hours?|hrs?|\w*stunden?|std|heures?|horas?|ore|ora|uur|uren|timer|timmar|godzin\w*|godz|saat|"
    r"час\w*|годин\w*|小时|小時|時間|시간|ساعات|ساعة|ч|h",
    "weeks": r"weeks?|wks?|wochen?|semanas?|semaines?|settiman[ae]|weken|tygodni\w*|недел\w*|тижн\w*|週間|週|周|주",
    "months": r"months?|monaten?|monate?|mes(?:es)?|mois|mesi|mese|maanden?|miesi\w*|месяц\w*|місяц\w*|"
    r"か月|ヶ月|个月|個月|개월",
    "seconds": r"seconds?|secs?|sekunden?|segundos?|secondes?|secondi|сек\w*|秒|s",
}
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _UNITS.items())
_NUMBER = r"\d+(?:[.,'\u2019]\d+)*"
_PER_WEEK = (
    rf"(?:per|an?|each|every|/|pro|je|por|par|à la|al|alla|w|в|на)\s*(?:{_UNITS['weeks']})(?![^\W\d_])|"
    r"weekly|wöchentlich"
)
_PART = re.compile(
    rf"(?<![-\d.,])(?P<low>{_NUMBER})(?:\s*(?:-|–|—|~|to|bis|a|à|до)\s*(?P<high>{_NUMBER}))?\+?\s*"
    rf"(?:(?:total|video|full|on-demand|effort|study|course|lecture|contact|class|of)\s+){{0,2}}"
    rf"(?:{_UNIT})\.?(?![^\W\d_])(?:\s*(?P<weekly>{_PER_WEEK}))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
_HOURS_MINUTES = re.compile(r"(\d{1,3})\s*h\s*([0-5]?\d)", re.IGNORECASE)
_ISO = re.compile(
    r"P(?:(?P<weeks>\d+)W)?(?:T(?:(?P<hours>\d+(?:\.\d+)?)H)?(?:(?P<minutes>\d+(?:\.\d+)?)M)?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?",
    re.IGNORECASE,
)
_MINUTES = {"minutes": Decimal(1), "hours": Decimal(60), "seconds": Decimal(1) / 60}


@dataclass(frozen=True)
class Effort:
    """What a text says of the time a course takes; None where it says nothing. `minutes`: in all. `weekly`: minutes a
    week."""

    minutes: Decimal | None = None
    weeks: Decimal | None = None
    weekly: Decimal | None = None

    def merged(self, other: "Effort") -> "Effort":
        def first(mine: Decimal | None, theirs: Decimal | None) -> Decimal | None:
            return theirs if mine is None else mine

        return Effort(
            first(self.minutes, other.minutes), first(self.weeks, other.weeks), first(self.weekly, other.weekly)
        )

    @property
    def total(self) -> int | None:
        """Minutes; an estimate from weeks is whole hours."""
        if self.minutes is not None:
            # A few seconds round up to a minute, because 0 means that there is no duration.
            return max(1, _rounded(self.minutes)) if self.minutes else 0
        if self.weeks and self.weekly:
            return max(1, _rounded(self.weeks * self.weekly / 60)) * 60
        return None


def read_effort(text: str, decimal: DecimalSign = ".") -> Effort:
    """Raises ValueError when the text, or each of its parts between semicolons, is no duration with a unit."""
    parts = [_read_part(part, decimal) for part in _split(r"[;|\n]", text)]
    found = [effort for effort in parts if effort is not None]
    if not found:
        raise ValueError(f"{text[:40]!r} is not a duration")
    merged = found[0]
    for effort in found[1:]:
        merged = merged.merged(effort)
    return merged


def shared_cell(text: str, decimal: DecimalSign = ".") -> tuple[list[str], Effort | None]:
    """The parts of a cell that holds several facts, without the duration among them, and that duration: "9 h; CHF 250",
    "CHF 250 / 16 h". Parts between slashes are facts only beside a duration of more than an hour: what is for each hour
    or month is another price. No parts: the cell is one fact."""
    parts = _split(r"[;|\n]", text)
    is_list = len(parts) > 1
    if not is_list:
        parts = _split(r"\s/\s", text)
    for place, part in enumerate(parts):
        effort = _read_part(part, decimal)
        if effort is not None and (effort.minutes or 0) > 60:
            return parts[:place] + parts[place + 1 :], effort
    return (parts if is_list else []), None


def _split(separator: str, text: str) -> list[str]:
    return [part.strip() for part in re.split(separator, text) if part.strip()]


def _read_part(text: str, decimal: DecimalSign) -> Effort | None:
    if clock := _CLOCK.fullmatch(text):
        return Effort(Decimal(clock[1]) * 60 + Decimal(clock[2]) + Decimal(clock[3] or 0) / 60)
    if pair := _HOURS_MINUTES.fullmatch(text):
        return Effort(Decimal(pair[1]) * 60 + Decimal(pair[2]))
    if (iso := _ISO.fullmatch(text)) and any(iso.groups()):
        weeks = None if iso["weeks"] is None else Decimal(iso["weeks"])
        parts = [Decimal(iso[unit]) * of for unit, of in _MINUTES.items() if iso[unit] is not None]
        return Effort(sum(parts, Decimal(0)) if parts else None, weeks)
    return _of_words(text, decimal)


def _of_words(text: str, decimal: DecimalSign) -> Effort | None:
    effort, rest, place = Effort(), [], 0
    for match in _PART.finditer(text):
        rest.append(text[place : match.start()])
        place = match.end()
        unit = next(name for name in _UNITS if match[name])
        low = read_grouped(match["low"], decimal)
        value = low if match["high"] is None else (low + read_grouped(match["high"], decimal)) / 2
        effort = _with(effort, unit, value, is_weekly=bool(match["weekly"]))
    rest.append(text[place:])
    # A number that is of no part may change the meaning of the others.
    return None if place == 0 or re.search(r"\d", "".join(rest)) else effort


def _with(effort: Effort, unit: str, value: Decimal, *, is_weekly: bool) -> Effort:
    if unit in {"weeks", "months"}:
        weeks = (effort.weeks or 0) + value * (WEEKS_IN_MONTH if unit == "months" else 1)
        return Effort(effort.minutes, weeks, effort.weekly)
    minutes = value * _MINUTES[unit]
    if is_weekly:
        return Effort(effort.minutes, effort.weeks, (effort.weekly or 0) + minutes)
    return Effort((effort.minutes or 0) + minutes, effort.weeks, effort.weekly)


def _rounded(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))
