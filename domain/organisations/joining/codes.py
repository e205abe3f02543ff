"""Join codes: whoever has the code of a contract may join its organisation."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import NotFound
from domain.permissions import Tenant
from domain.readable_codes import encode
from domain.tables import Contract
from domain.typed_codes import plain_code

# 29^12: nobody guesses one.
LETTERS = 12


def new_code() -> str:
    return encode(LETTERS)


def normalised(text: str) -> str:
    """A code as it is stored, however it was typed; "" for what cannot be one."""
    plain = "".join(plain_code(text).split()).replace("-", "").upper()
    return plain if len(plain) == LETTERS and plain.isascii() and plain.isalnum() else ""


def shown(code: str) -> str:
    """In groups of four, as it is read out."""
    return "-".join(code[place : place + 4] for place in range(0, len(code), 4))


def rotate(session: Session, contract: Contract) -> str:
    """A new code for a contract, which is locked: the former one opens nothing any more, and counting begins anew."""
    contract.join_code, contract.join_code_uses = new_code(), 0
    if contract.join_policy == "invitation":
        contract.join_policy = "code"
    session.flush()
    return contract.join_code


def change(session: Session, tenant: Tenant, contract_id: int, *, is_on: bool) -> str | None:
    """Give one's own contract a new code, or none. For `Database.write_as`. Raises NotFound."""
    own = (Contract.id == contract_id, Contract.organisation_id == tenant.organisation_id)
    query = select(Contract).where(*own).with_for_update().execution_options(populate_existing=True)
    contract = session.scalar(query)
    if contract is None:
        raise NotFound("Your organisation has no such contract.")
    before = contract.join_code is not None
    if not is_on and not before:
        recording.no_change(session)
        return None
    if is_on:
        code: str | None = rotate(session, contract)
    else:
        contract.join_code = code = None
        session.flush()
    action = "contract.join_code" if is_on else "contract.join_code_off"
    recording.record(
        session, action, Subject("contract", contract.id), before={"has_code": before}, after={"has_code": is_on}
    )
    return code
