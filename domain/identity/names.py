"""Finding people by a part of their name."""

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, or_

from domain.tables import Learner
from domain.tables.areas.person_keys import name_key

# Fewer would find half of all people.
MIN_LETTERS = 3
_KEY = Learner.__table__.c.name_key
_ESCAPE = "/"


def has_enough_letters(text: str) -> bool:
    return any(len(word) >= MIN_LETTERS for word in name_key(text).split())


def with_name(text: str) -> ColumnElement[bool]:
    """Each word of the text begins a word of the name."""
    return and_(*(_begins(*patterns) for patterns in _patterns(text)))


def with_words(count: int) -> ColumnElement[bool]:
    """The condition of `with_name` for any text of so many words; its parameters are the text's `word_values`."""
    return and_(*(_begins(bindparam(f"first_{place}"), bindparam(f"later_{place}")) for place in range(count)))


def word_values(text: str) -> dict[str, str]:
    """The parameters of `with_words`, two for each word of the text."""
    values: dict[str, str] = {}
    for place, (first, later) in enumerate(_patterns(text)):
        values |= {f"first_{place}": first, f"later_{place}": later}
    return values


def _patterns(text: str) -> list[tuple[str, str]]:
    """For each word, the pattern of a name that begins with it, and the pattern of a name that has it later."""
    escaped = (_escaped(word) for word in name_key(text).split())
    return [(f"{word}%", f"% {word}%") for word in escaped]


def _escaped(word: str) -> str:
    for special in (_ESCAPE, "%", "_"):
        word = word.replace(special, _ESCAPE + special)
    return word


def _begins(first: str | BindParameter[str], later: str | BindParameter[str]) -> ColumnElement[bool]:
    return or_(_KEY.like(first, escape=_ESCAPE), _KEY.like(later, escape=_ESCAPE))
