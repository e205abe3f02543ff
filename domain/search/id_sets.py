"""Thousands of ids in one condition, and thousands of numbers in one answer.

Sent one by one they would cost more than the query: the parameters on the way in, and on the way out a row each, which
the MariaDB driver reads byte by byte in Python.
"""

from collections.abc import Iterable
from typing import Any, cast

from sqlalchemy import BigInteger, ColumnElement, String, bindparam, column, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

# An impact has 24 bits (impacts.py): id and impact are one number that SQLite and MariaDB keep exactly.
_SHIFT = 1 << 24
_MASK = _SHIFT - 1


class _numbers(FunctionElement[Any]):
    """The whole numbers of a JSON array as a table."""

    inherit_cache = True


@compiles(_numbers, "sqlite")
def _sqlite(element: _numbers, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kw)})"


@compiles(_numbers, "mysql")
@compiles(_numbers, "mariadb")
def _mariadb(element: _numbers, compiler: SQLCompiler, **kw: Any) -> str:
    return f"JSON_TABLE({compiler.process(element.clauses, **kw)}, '$[*]' COLUMNS (value BIGINT PATH '$'))"


_LISTED = _numbers(bindparam("ids", type_=String)).table_valued(column("value", BigInteger), name="listed")


def among(ids: Any) -> ColumnElement[bool]:
    """`among(Product.id)`: it is one of the whole numbers in the parameter "ids", which `listed` makes."""
    return cast(ColumnElement[bool], ids.in_(select(_LISTED.c.value)))


def listed(ids: Iterable[int]) -> str:
    return f"[{','.join(map(str, ids))}]"


def together(ids: Any, impacts: Any) -> ColumnElement[str]:
    """Ids and impacts of a group in one text."""
    return func.group_concat(ids * _SHIFT + impacts, type_=String)


def apart(text: str | None) -> dict[int, int]:
    """What `together` joined: id -> impact."""
    return {pair >> 24: pair & _MASK for pair in map(int, text.split(","))} if text else {}
