"""The words of the catalogue, and which of them a word of a query may mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Integer, String, bindparam, func, literal_column, select, union_all
from sqlalchemy.orm import Session

from domain.search.id_sets import id_in, id_list
from domain.search.tokenizer import Query, is_dense
from domain.tables import SearchPosting, SearchWord

# Columns of the table instead of attributes of the class, which cost SQLAlchemy twice the time.
_words = SearchWord.__table__.c
COLUMNS = (_words.id, _words.word, _words.shown, _words.products)
# Sorts after every letter: the end of a range of words with the same beginning.
_END = "\U0010ffff"
# Maximum of continuations of the last word, those of most products first.
MAX_CONTINUATIONS = 24

EXACT, OTHER_NUMBER, CONTINUED = 1.0, 0.9, 0.6

_LISTED = (_words.word.in_(bindparam("words", expanding=True)), _words.products > 0)
_KNOWN = select(*COLUMNS).where(*_LISTED)
_BEGINNING = (
    select(*COLUMNS)
    .where(_words.word > bindparam("beginning"), _words.word < bindparam("end"), _words.products > 0)
    .order_by(_words.products.desc(), _words.word)
    .limit(bindparam("most", type_=Integer))
)
_longer = _BEGINNING.subquery()
# Both in one statement. The first column says which of the two a row is of.
_KNOWN_AND_BEGINNING = union_all(
    select(literal_column("1", Integer).label("is_known"), *COLUMNS).where(*_LISTED),
    select(literal_column("0", Integer).label("is_known"), *_longer.c),
)


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
    texts = {text for word in query.words for text in (word.text, *others[word.text])}
    last = query.words[-1].text if query.is_open and query.words else None
    known, continuations = _known_and_continuations(session, texts, last, others)
    terms = []
    for word in query.words:
        meanings = {word.text: Meaning(known[word.text], EXACT)} if word.text in known else {}
        meanings |= {text: Meaning(known[text], OTHER_NUMBER) for text in others[word.text] if text in known}
        if word.text == last:
            for continuation in continuations:
                meanings.setdefault(continuation.word, Meaning(continuation, CONTINUED))
        in_order = sorted(
            meanings.values(), key=lambda meaning: (-meaning.factor, -meaning.word.products, meaning.word.word)
        )
        terms.append(Term(word.text, word.shown, word.place, tuple(in_order)))
    return terms


def known_words(session: Session, words: Iterable[str]) -> dict[str, KnownWord]:
    return {row.word: KnownWord(*row) for row in session.execute(_KNOWN, {"words": sorted(set(words))})}


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
    return [KnownWord(*row) for row in session.execute(_BEGINNING, _range(beginning, most))]


def _range(beginning: str, most: int) -> dict[str, str | int]:
    return {"beginning": beginning, "end": beginning + _END, "most": most}


def beginning_within(session: Session, beginning: str, products: Iterable[int]) -> Sequence[KnownWord]:
    """Longer words with this beginning in the names and texts of these products."""
    query = select(func.group_concat(SearchPosting.word_id.distinct(), type_=String))
    ids = session.scalar(query.where(id_in(SearchPosting.product_id)), {"ids": id_list(products)})
    words = select(*COLUMNS).where(id_in(SearchWord.id)).where(SearchWord.word > beginning)
    rows = session.execute(words.where(SearchWord.word < beginning + _END), {"ids": f"[{ids or ''}]"})
    return [KnownWord(*row) for row in rows]


def _known_and_continuations(
    session: Session, texts: Iterable[str], last: str | None, others: Mapping[str, Sequence[str]]
) -> tuple[dict[str, KnownWord], Sequence[KnownWord]]:
    """The known ones of these words, and the continuations of the `last` word, which a visitor may still be typing."""
    if last is None or not _is_completed(last, has_meaning=True):
        known = known_words(session, texts)
        if last is None or not _is_completed(last, any(text in known for text in (last, *others[last]))):
            return known, ()
        return known, beginning_with(session, last, MAX_CONTINUATIONS)
    values = {"words": sorted(set(texts)), **_range(last, MAX_CONTINUATIONS)}
    known, continuations = {}, []
    for is_known, *columns in session.execute(_KNOWN_AND_BEGINNING, values):
        word = KnownWord(*columns)
        if is_known:
            known[word.word] = word
        else:
            continuations.append(word)
    return known, continuations


def _is_completed(text: str, has_meaning: bool) -> bool:
    """Two letters are mostly a whole word (Go, UX, AI): they are completed only if unknown. A single letter of a dense
    script is completed to its pairs."""
    if is_dense(text):
        return len(text) == 1
    return len(text) >= 2 and not (has_meaning and (len(text) < 3 or text.isdigit()))
