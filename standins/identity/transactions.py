"""Sign-ins under way: looked up by an unguessable word, forgotten when they end or grow old."""

from sqlalchemy import delete

from standins.identity import opaque
from standins.identity.answers import Call, Json
from standins.identity.tables import Transaction

PREFIXES = {"authn": "00", "idx": "02"}


def begin(call: Call, kind: str, data: Json, seconds: float, user_id: str | None = None) -> tuple[str, Transaction]:
    """The word and the row."""
    call.session.execute(delete(Transaction).where(Transaction.expires_at < call.now))
    word = opaque.new(PREFIXES[kind])
    row = Transaction(digest=opaque.digest(word), kind=kind, user_id=user_id, data=data, expires_at=call.now + seconds)
    call.session.add(row)
    call.session.flush()
    return word, row


def find(call: Call, kind: str, word: str) -> Transaction | None:
    row = call.session.get(Transaction, opaque.digest(word)) if word else None
    return row if row is not None and row.kind == kind and row.expires_at > call.now else None


def update(row: Transaction, **values: object) -> None:
    """The row's data with these keys; a key whose value is None goes."""
    merged = {**row.data, **values}
    row.data = {name: value for name, value in merged.items() if value is not None}
