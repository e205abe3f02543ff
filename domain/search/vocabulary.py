"""The words of the catalogue: which of them a word of a query may mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import String, func, select
from sqlalchemy.orm import Session

from domain.search.among import among, listed
from domain.search.tokens import Query, is_dense
from domain.tables import SearchPosting, SearchWord

COLUMNS = (SearchWord.id, SearchWord.word, SearchWord.shown, SearchWord.products)
# Above every letter there is: the end of a range of words that begin alike.
_END = "\U0010ffff"
# Continuations of the last word that are read along with it, those of most products.
MOST_CONTINUATIONS = 24

EXACT, OTHER_NUMBER, CONTINUED = 1.0, 0.9, 0.6


@dataclass(frozen=True)
class Known:
    """A word of the catalogue and the number of products it stands in."""

    id: int
    word: str
    shown: str
    products: int


@dataclass(frozen=True)
class Meaning:
    """A word of the catalogue that a typed one may mean, and how far it counts."""

    known: Known
    factor: float


@dataclass(frozen=True)
class Term:
    """One word of a query with all it may mean, the nearest and most frequent first; nothing when nobody knows it."""

    text: str
    shown: str
    place: int
    meanings: tuple[Meaning, ...]

    @property
    def products(self) -> int:
        return sum(meaning.known.products for meaning in self.meanings)


def terms_of(session: Session, query: Query) -> list[Term]:
    """The query's words as the catalogue knows them: as they are, in the other number, and the last one continued."""
    others = {word.text: other_numbers(word.text) for word in query.words}
    known = known_words(session, {text for word in query.words for text in (word.text, *others[word.text])})
    terms = []
    for word in query.words:
        meanings = {word.text: Meaning(known[word.text], EXACT)} if word.text in known else {}
        meanings |= {text: Meaning(known[text], OTHER_NUMBER) for text in others[word.text] if text in known}
        if query.open and word == query.words[-1]:
            for one in _continuations(session, word.text, bool(meanings)):
                meanings.setdefault(one.word, Meaning(one, CONTINUED))
        in_order = sorted(meanings.values(), key=lambda it: (-it.factor, -it.known.products, it.known.word))
        terms.append(Term(word.text, word.shown, word.place, tuple(in_order)))
    return terms


def known_words(session: Session, words: Iterable[str]) -> dict[str, Known]:
    query = select(*COLUMNS).where(SearchWord.word.in_(sorted(set(words))), SearchWord.products > 0)
    return {row.word: Known(*row) for row in session.execute(query)}


def other_numbers(word: str) -> list[str]:
    """What may be the plural or the singular of a word; only what the catalogue knows is ever used. "C" may be "C#"."""
    if len(word) == 1:
        return [f"{word}#", f"{word}++"] if word.isascii() and word.isalpha() else []
    if len(word) < 3 or not word.isalpha() or is_dense(word):
        return []
    made = [f"{word}s", f"{word}es"]
    if word.endswith("y"):
        made.append(f"{word[:-1]}ies")
    if word.endswith("ies") and len(word) > 4:
        made.append(f"{word[:-3]}y")
    if word.endswith("es") and len(word) > 4:
        made.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        made.append(word[:-1])
    return made


def beginning_with(session: Session, beginning: str, most: int) -> Sequence[Known]:
    """Words that begin like this and are longer, those of most products first."""
    query = (
        select(*COLUMNS)
        .where(SearchWord.word > beginning, SearchWord.word < beginning + _END, SearchWord.products > 0)
        .order_by(SearchWord.products.desc(), SearchWord.word)
        .limit(most)
    )
    return [Known(*row) for row in session.execute(query)]


def beginning_within(session: Session, beginning: str, products: Iterable[int]) -> Sequence[Known]:
    """Words of a few products that begin like this."""
    query = select(func.group_concat(SearchPosting.word_id.distinct(), type_=String))
    found = session.scalar(query.where(among(SearchPosting.product_id)), {"ids": listed(products)})
    words = select(*COLUMNS).where(among(SearchWord.id)).where(SearchWord.word > beginning)
    rows = session.execute(words.where(SearchWord.word < beginning + _END), {"ids": f"[{found or ''}]"})
    return [Known(*row) for row in rows]


def _continuations(session: Session, text: str, has_meaning: bool) -> Sequence[Known]:
    """Two letters are mostly a word of their own (Go, UX, AI): they are continued only when nobody knows them. A single
    letter of a dense script is how its pairs begin."""
    if is_dense(text):
        return beginning_with(session, text, MOST_CONTINUATIONS) if len(text) == 1 else []
    if len(text) < 2 or (has_meaning and (len(text) < 3 or text.isdigit())):
        return []
    return beginning_with(session, text, MOST_CONTINUATIONS)
