"""The refund form of an order's page as a plain HTML form, for visitors without JavaScript (docs/decisions/0038)."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from domain.identity.sessions import AuthSession
from domain.typed_values import is_number
from host.checkout import refunding

# `do` of the form.
DO = "refund"
WRONG_FIELDS = "Nothing was sent: look at what is marked."
CONFIRM = "confirm."
LINE = "line."
MAX_DIGITS = 6


async def send(request: web.Request, auth: AuthSession, code: str, fields: Mapping[str, str]) -> str:
    """Send the form, and return where the browser goes then. Raises as `refunding.send_request`."""
    confirmed = [name.removeprefix(CONFIRM) for name in fields if name.startswith(CONFIRM)]
    about = (confirmed, fields.get("note", ""))
    question = refunding.refund_request(auth, code, fields.get("key", ""), _units(fields), about)
    await refunding.send_request(request, auth, question)
    return f"/order/{code}#refunds"


def refused(fields: Mapping[str, str], message: str, errors: Mapping[str, str]) -> dict[str, Any]:
    """For templates/no_script/refund_form.html: what is wrong, by field, and what was typed."""
    shown = {"message": errors.get("lines") or message, "errors": dict(errors), "fields": dict(fields)}
    return {"refund": shown}


def _units(fields: Mapping[str, str]) -> dict[int, int]:
    """The units of the lines that are chosen; one unit where no number is given, 0 for what is no number."""
    units: dict[int, int] = {}
    for name in fields:
        number = name.removeprefix(LINE)
        if name.startswith(LINE) and _is_number(number):
            quantity = fields.get(f"quantity.{number}", "1")
            units[int(number)] = int(quantity) if _is_number(quantity) else 0
    return units


def _is_number(text: str) -> bool:
    return is_number(text, MAX_DIGITS)
