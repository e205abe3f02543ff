"""Thousands of ids in one condition, and thousands of numbers in one answer.

Sent one by one they would cost more than the query: the parameters on the way in, and on the way out a row each, which
the MariaDB driver reads byte by byte in Python.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Boolean, ColumnElement, String, bindparam, func
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

# An impact has 24 bits (impacts.py): id and impact are one number that SQLite and MariaDB keep exactly.
_SHIFT = 1 << 24
_MASK = _SHIFT - 1


class among(FunctionElement[bool]):
    """`among(Product.id)`: the column is one of the whole numbers in the parameter "ids", which `listed` makes."""

    type = Boolean()
    inherit_cache = True

    def __init__(self, column: Any):
        super().__init__(column, bindparam("ids", type_=String))


def listed(ids: Iterable[int]) -> str:
    return f"[{','.join(map(str, ids))}]"


@compiles(among, "sqlite")
def _sqlite(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, ids = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({ids}))"  # noqa: S608 compiled clauses


@compiles(among, "mysql")
@compiles(among, "mariadb")
def _mariadb(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, ids = (compiler.process(clause, **kw) for clause in element.clauses)
    rows = f"JSON_TABLE({ids}, '$[*]' COLUMNS (id BIGINT PATH '$'))"
    return f"{column} IN (SELECT listed.id FROM {rows} AS listed)"  # noqa: S608 compiled clauses


def together(ids: Any, impacts: Any) -> ColumnElement[str]:
    """Ids and impacts of a group in one text."""
    return func.group_concat(ids * _SHIFT + impacts, type_=String)


def apart(text: str | None) -> dict[int, int]:
    """What `together` joined: id -> impact."""
    return {pair >> 24: pair & _MASK for pair in map(int, text.split(","))} if text else {}
