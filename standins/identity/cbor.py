"""The part of CBOR (RFC 8949) that authenticators send: whole numbers, strings, lists, maps of definite length."""

from typing import Any

DEEPEST = 8


def first(data: bytes) -> tuple[Any, int]:
    """The first value and where it ends. Raises ValueError."""
    try:
        return _value(data, 0, 0)
    except (IndexError, TypeError, UnicodeDecodeError) as error:
        raise ValueError("not the CBOR of an authenticator") from error


def _value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    major, size = data[at] >> 5, data[at] & 31
    number, at = _number(data, at + 1, size)
    if major in (0, 1):
        return (number if major == 0 else -1 - number), at
    if major in (2, 3):
        part = data[at : at + number]
        if len(part) < number:
            raise ValueError("cut short")
        return (part if major == 2 else part.decode()), at + number
    if major == 4:
        return _list(data, at, number, depth)
    if major == 5:
        flat, at = _list(data, at, number * 2, depth)
        return dict(zip(flat[::2], flat[1::2], strict=True)), at
    if major == 7 and size in (20, 21, 22):
        return {20: False, 21: True, 22: None}[size], at
    raise ValueError(f"major type {major} is not expected")


def _list(data: bytes, at: int, count: int, depth: int) -> tuple[list[Any], int]:
    found = []
    for _ in range(count):
        value, at = _value(data, at, depth + 1)
        found.append(value)
    return found, at


def _number(data: bytes, at: int, size: int) -> tuple[int, int]:
    if size < 24:
        return size, at
    if size > 27:
        raise ValueError("indefinite lengths are not expected")
    width = 1 << (size - 24)
    part = data[at : at + width]
    if len(part) < width:
        raise ValueError("cut short")
    return int.from_bytes(part, "big"), at + width
