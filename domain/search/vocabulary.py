"""The words of the catalogue, and which of them a word of a query may mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import String, func, select
from sqlalchemy.orm import Session

from domain.search.id_sets import id_in, id_list
from domain.search.tokenizer import Query, is_dense
from domain.tables import SearchPosting, SearchWord

COLUMNS = (SearchWord.id, SearchWord.word, SearchWord.shown, SearchWord.products)
# Sorts after every letter: the end of a range of words with the same beginning.
_END = "\U0010ffff"
# Maximum of continuations of the last word, those of most products first.
MAX_CONTINUATIONS = 24

EXACT, OTHER_NUMBER, CONTINUED = 1.0, 0.9, 0.6


@dataclass(frozen=True)
class KnownWord:
    """A word of the catalogue and the number of products that have it."""

    id: int
    word: str
    shown: str
    products: int


@dataclass(frozen=True)
class Meaning:
    """A word of the catalogue that a typed one may mean, and the factor of its weight."""

    word: KnownWord
    factor: float


@dataclass(frozen=True)
class Term:
    """One word of a query with its meanings, the most similar and frequent first; an unknown word has none."""

    text: str
    shown: str
    place: int
    meanings: tuple[Meaning, ...]

    @property
    def products(self) -> int:
        return sum(meaning.word.products for meaning in self.meanings)


def terms_of(session: Session, query: Query) -> list[Term]:
    """The query's words with their meanings: as typed, singular or plural, and the last one completed."""
    others = {word.text: other_numbers(word.text) for word in query.words}
    known = known_words(session, {text for word in query.words for text in (word.text, *others[word.text])})
    terms = []
    for word in query.words:
        meanings = {word.text: Meaning(known[word.text], EXACT)} if word.text in known else {}
        meanings |= {text: Meaning(known[text], OTHER_NUMBER) for text in others[word.text] if text in known}
        if query.is_open and word == query.words[-1]:
            for continuation in _continuations(session, word.text, bool(meanings)):
                meanings.setdefault(continuation.word, Meaning(continuation, CONTINUED))
        in_order = sorted(
            meanings.values(), key=lambda meaning: (-meaning.factor, -meaning.word.products, meaning.word.word)
        )
        terms.append(Term(word.text, word.shown, word.place, tuple(in_order)))
    return terms


def known_words(session: Session, words: Iterable[str]) -> dict[str, KnownWord]:
    query = select(*COLUMNS).where(SearchWord.word.in_(sorted(set(words))), SearchWord.products > 0)
    return {row.word: KnownWord(*row) for row in session.execute(query)}


def other_numbers(word: str) -> list[str]:
    """Possible plurals and singulars of a word, of which only known words are used. "C" may also be "C#" or "C++"."""
    if len(word) == 1:
        return [f"{word}#", f"{word}++"] if word.isascii() and word.isalpha() else []
    if len(word) < 3 or not word.isalpha() or is_dense(word):
        return []
    forms = [f"{word}s", f"{word}es"]
    if word.endswith("y"):
        forms.append(f"{word[:-1]}ies")
    if word.endswith("ies") and len(word) > 4:
        forms.append(f"{word[:-3]}y")
    if word.endswith("es") and len(word) > 4:
        forms.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        forms.append(word[:-1])
    return forms


def beginning_with(session: Session, beginning: str, most: int) -> Sequence[KnownWord]:
    """Longer words with this beginning, those of most products first."""
    query = (
        select(*COLUMNS)
        .where(SearchWord.word > beginning, SearchWord.word < beginning + _END, SearchWord.products > 0)
        .order_by(SearchWord.products.desc(), SearchWord.word)
        .limit(most)
    )
    return [KnownWord(*row) for row in session.execute(query)]


def beginning_within(session: Session, beginning: str, products: Iterable[int]) -> Sequence[KnownWord]:
    """Longer words with this beginning in the names and texts of these products."""
    query = select(func.group_concat(SearchPosting.word_id.distinct(), type_=String))
    ids = session.scalar(query.where(id_in(SearchPosting.product_id)), {"ids": id_list(products)})
    words = select(*COLUMNS).where(id_in(SearchWord.id)).where(SearchWord.word > beginning)
    rows = session.execute(words.where(SearchWord.word < beginning + _END), {"ids": f"[{ids or ''}]"})
    return [KnownWord(*row) for row in rows]


def _continuations(session: Session, text: str, has_meaning: bool) -> Sequence[KnownWord]:
    """Two letters are mostly a whole word (Go, UX, AI): they are completed only if unknown. A single letter of a dense
    script is completed to its pairs."""
    if is_dense(text):
        return beginning_with(session, text, MAX_CONTINUATIONS) if len(text) == 1 else []
    if len(text) < 2 or (has_meaning and (len(text) < 3 or text.isdigit())):
        return []
    return beginning_with(session, text, MAX_CONTINUATIONS)
