"""Running sign-ins, found by a random token; they are deleted when they end or expire."""

from sqlalchemy import delete

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall, Json
from standins.identity.tables import Transaction

PREFIXES = {"authn": "00", "idx": "02"}


def create(
    call: IdentityCall, kind: str, data: Json, seconds: float, user_id: str | None = None
) -> tuple[str, Transaction]:
    """Creates a transaction. Returns its token and its row; deletes expired ones."""
    call.session.execute(delete(Transaction).where(Transaction.expires_at < call.now))
    token = opaque_tokens.new_token(PREFIXES[kind])
    row = Transaction(
        digest=opaque_tokens.digest(token), kind=kind, user_id=user_id, data=data, expires_at=call.now + seconds
    )
    call.session.add(row)
    call.session.flush()
    return token, row


def find(call: IdentityCall, kind: str, token: str) -> Transaction | None:
    row = call.session.get(Transaction, opaque_tokens.digest(token)) if token else None
    return row if row is not None and row.kind == kind and row.expires_at > call.now else None


def update(row: Transaction, **values: object) -> None:
    """Sets these keys of the row's data; None removes a key."""
    merged = {**row.data, **values}
    row.data = {name: value for name, value in merged.items() if value is not None}
