"""Postal codes as patterns of HTML fields: without anchors, and for small letters too, which validation makes large."""

import re

_PART = re.compile(r"\\.|\[|\]|.", re.DOTALL)
_RANGE = re.compile(r"\\.|[A-Z]-[A-Z]|.", re.DOTALL)


def browser_pattern(expression: re.Pattern[str] | None) -> str | None:
    """The pattern attribute of an anchored expression in upper case; None for none."""
    if expression is None:
        return None
    text = expression.pattern.removeprefix("^").removesuffix("$")
    parts: list[str] = []
    set_begin: int | None = None
    for part in _PART.findall(text):
        if part == "[":
            set_begin = len(parts)
        is_in_set = set_begin is not None
        parts.append(part if is_in_set or not _is_letter(part) else f"[{part}{part.lower()}]")
        if part == "]" and set_begin is not None:
            parts[set_begin:] = [_set_of_both_cases("".join(parts[set_begin:]))]
            set_begin = None
    return "".join(parts)


def _is_letter(part: str) -> bool:
    return len(part) == 1 and "A" <= part <= "Z"


def _set_of_both_cases(text: str) -> str:
    """`[A-C\\d]` as `[A-Ca-c\\d]`."""
    return f"[{_RANGE.sub(lambda match: _both_cases(match[0]), text[1:-1])}]"


def _both_cases(part: str) -> str:
    return part + part.lower() if re.fullmatch("[A-Z](-[A-Z])?", part) else part
