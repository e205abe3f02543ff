"""Passes thousands of ids as one parameter, and reads thousands of numbers as one text.

Thousands of parameters and rows would cost more than the query itself: the MariaDB driver parses each row in Python.
"""

import json
from collections.abc import Iterable
from typing import Any, cast

from sqlalchemy import BigInteger, ColumnElement, String, bindparam, column, func, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

# A posting weight has 24 bits (posting_weights.py): id and weight fit one number that both databases store exactly.
_SHIFT = 1 << 24
_MASK = _SHIFT - 1


class _numbers(FunctionElement[Any]):
    """The integers of a JSON array as a table."""

    inherit_cache = True


@compiles(_numbers, "sqlite")
def _sqlite(element: _numbers, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kw)})"


@compiles(_numbers, "mysql")
@compiles(_numbers, "mariadb")
def _mariadb(element: _numbers, compiler: SQLCompiler, **kw: Any) -> str:
    return f"JSON_TABLE({compiler.process(element.clauses, **kw)}, '$[*]' COLUMNS (value BIGINT PATH '$'))"


_LISTED = _numbers(bindparam("ids", type_=String)).table_valued(column("value", BigInteger), name="listed")


def id_in(ids: Any) -> ColumnElement[bool]:
    """The condition that a column such as Product.id is in the parameter "ids", a text made by `id_list`."""
    return cast(ColumnElement[bool], ids.in_(select(_LISTED.c.value)))


def id_list(ids: Iterable[int]) -> str:
    return f"[{','.join(map(str, ids))}]"


def pack_hits(ids: Any, weights: Any) -> ColumnElement[str]:
    """The ids and weights of a group as one text."""
    return func.group_concat(ids * _SHIFT + weights, type_=String)


def unpack_hits(text: str | None) -> dict[int, int]:
    """A text of `pack_hits` as id -> weight."""
    # As JSON, because thousands of numbers are read so in two thirds of the time that `int` takes.
    return {pair >> 24: pair & _MASK for pair in json.loads(f"[{text}]")} if text else {}
