"""Codes that travel by e-mail, text or call, and how often something may be tried: good once, five tries."""

from standins.identity import opaque
from standins.identity.answers import Call
from standins.identity.tables import Code


class Wrong(Exception):
    """`reason`: wrong, used, gone (late, replaced or already used), too_many, rejected, waiting, too_soon, invalid."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def new(call: Call, about: str) -> str:
    """The code that counts for `about` from now on."""
    rules = call.provider.policies["codes"]
    digits = opaque.new_digits(rules["digits"])
    forget(call, about)
    call.session.add(
        Code(
            about=about,
            digest=opaque.hashed(digits, opaque.CODE_COST),
            tries=0,
            created_at=call.now,
            expires_at=call.now + rules["seconds"],
        )
    )
    return digits


def check(call: Call, about: str, digits: str) -> None:
    """Spends the code. Raises Wrong."""
    row = call.session.get(Code, about)
    if row is None or row.expires_at <= call.now:
        raise Wrong("gone")
    _count(call, row)
    if not opaque.matches(row.digest, digits):
        raise Wrong("wrong")
    forget(call, about)


def count_try(call: Call, about: str) -> None:
    """For what is no code of ours, such as an answer or a number from an app. Raises Wrong(too_many)."""
    row = call.session.get(Code, about)
    if row is None or row.expires_at <= call.now:
        forget(call, about)
        until = call.now + call.provider.policies["codes"]["seconds"]
        row = Code(about=about, digest="", tries=0, created_at=call.now, expires_at=until)
        call.session.add(row)
    _count(call, row)


def _count(call: Call, row: Code) -> None:
    row.tries += 1
    if row.tries > call.provider.policies["codes"]["tries"]:
        raise Wrong("too_many")


def forget(call: Call, about: str) -> None:
    row = call.session.get(Code, about)
    if row is not None:
        call.session.delete(row)
        call.session.flush()


def age(call: Call, about: str) -> float | None:
    """Seconds since the code that counts was made."""
    row = call.session.get(Code, about)
    return None if row is None else call.now - row.created_at
