"""One-time codes sent by email, text message or call, and the limit on attempts."""

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall
from standins.identity.tables import Code


class ChallengeFailed(Exception):
    """`reason`: wrong, used, gone (expired, replaced or used), too_many, rejected, waiting, too_soon, invalid."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def new_code(call: IdentityCall, about: str) -> str:
    """Creates the code of `about`; an earlier one becomes invalid."""
    rules = call.provider.policies["codes"]
    digits = opaque_tokens.new_digits(rules["digits"])
    delete_code(call, about)
    call.session.add(
        Code(
            about=about,
            digest=opaque_tokens.hash_secret(digits, opaque_tokens.CODE_COST),
            tries=0,
            created_at=call.now,
            expires_at=call.now + rules["seconds"],
        )
    )
    return digits


def check_code(call: IdentityCall, about: str, digits: str) -> None:
    """Checks and deletes the code. Raises ChallengeFailed."""
    row = call.session.get(Code, about)
    if row is None or row.expires_at <= call.now:
        raise ChallengeFailed("gone")
    _count_and_check(call, row)
    if not opaque_tokens.matches_hash(row.digest, digits):
        raise ChallengeFailed("wrong")
    delete_code(call, about)


def count_attempt(call: IdentityCall, about: str) -> None:
    """Counts an attempt at an answer or an app's code. Raises ChallengeFailed("too_many")."""
    row = call.session.get(Code, about)
    if row is None or row.expires_at <= call.now:
        delete_code(call, about)
        until = call.now + call.provider.policies["codes"]["seconds"]
        row = Code(about=about, digest="", tries=0, created_at=call.now, expires_at=until)
        call.session.add(row)
    _count_and_check(call, row)


def _count_and_check(call: IdentityCall, row: Code) -> None:
    row.tries += 1
    if row.tries > call.provider.policies["codes"]["tries"]:
        raise ChallengeFailed("too_many")


def delete_code(call: IdentityCall, about: str) -> None:
    row = call.session.get(Code, about)
    if row is not None:
        call.session.delete(row)
        call.session.flush()


def code_age(call: IdentityCall, about: str) -> float | None:
    """Seconds since the valid code was created, None without one."""
    row = call.session.get(Code, about)
    return None if row is None else call.now - row.created_at
