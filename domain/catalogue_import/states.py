"""Whether a row's product is on sale at its source: from the columns for its state, visibility and form."""

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.words import STATUSES, VISIBILITIES, YES_NO

StateReader = Callable[[RowValues, str], str | None]
_COLUMNS = ("status", "published", "visibility", "archived")


def has_state(values: RowValues) -> bool:
    """Whether a column says anything about the state."""
    return any(values.has(field) for field in _COLUMNS)


def state(values: RowValues, form: str = "simple") -> str | None:
    """The most careful state that a column asks for: retired, draft, scheduled or published; None when none says
    anything. A word that is not known makes a draft, as does what is sold elsewhere."""
    if form == "simple" and not has_state(values):
        return None
    wanted = {_or_draft(values, read, field) for field, read in READERS.items()}
    wanted |= {_archived(values), _of_form(values, form)}
    return next((state for state in ("retired", "draft", "scheduled", "published") if state in wanted), None)


def _status(values: RowValues, field: str) -> str | None:
    text = values.text(field).casefold()
    if not text:
        return None
    if text in YES_NO:
        return "published" if YES_NO[text] else "draft"
    return STATUSES.get(text) or _refuse_unknown(values, field)


def _published(values: RowValues, field: str) -> str | None:
    """Yes or no, a number of WooCommerce (0 and -1: not for everyone), or the time since when it is."""
    if isinstance(values.raw(field), bool):
        return "published" if values.raw(field) else "draft"
    text = values.text(field).casefold().lstrip("'")
    if not text or text in STATUSES:
        return STATUSES.get(text)
    if text in YES_NO or re.fullmatch(r"-?\d{1,3}", text):
        return "published" if YES_NO.get(text, text[0] != "-") else "draft"
    try:
        values.time(field)
    except BadRow:
        _refuse_unknown(values, field)
    return "published"


def _visibility(values: RowValues, field: str) -> str | None:
    text = values.text(field).casefold()
    if not text:
        return None
    meaning = VISIBILITIES.get(text)
    if meaning == "hidden":
        values.doubts.append(f"{values.column(field)}: hidden from the catalogue of its source, so a draft here")
        return "draft"
    return None if meaning else _refuse_unknown(values, field)


def _archived(values: RowValues) -> str | None:
    return "retired" if values.maybe(values.flag, "archived") else None


def _of_form(values: RowValues, form: str) -> str | None:
    if form != "external":
        return None
    values.doubts.append("its source sends buyers to another shop, so a draft here")
    return "draft"


def _or_draft(values: RowValues, read: StateReader, field: str) -> str | None:
    try:
        return read(values, field)
    except BadRow as bad:
        values.doubts.append(f"{bad}, so a draft")
        return "draft"


def _refuse_unknown(values: RowValues, field: str) -> NoReturn:
    values.refuse_field(field, f"{values.text(field)[:40]!r} is no known state")


# What a column says of the state; each raises BadRow for a word that is not known.
READERS: Mapping[str, StateReader] = {"status": _status, "published": _published, "visibility": _visibility}
