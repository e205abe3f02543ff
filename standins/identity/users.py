"""Users: lookup, password checks and changes, lock-out."""

from functools import lru_cache
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from standins.identity import opaque_tokens
from standins.identity.responses import IdentityCall
from standins.identity.tables import BrowserSession, Enrollment, Ticket, User, WrongPasswords

MAX_NAME_LENGTH = 254


class WrongPassword(Exception):
    """Unknown name or wrong password; responses do not say which."""


class Locked(Exception):
    """Too many consecutive wrong passwords for a name, known or not."""


class PasswordRefused(Exception):
    """`causes`: one sentence for each rule that the new password violates."""

    def __init__(self, causes: list[str]):
        super().__init__(" ".join(causes))
        self.causes = causes


def find_user(session: Session, name: str) -> User | None:
    """The user with this login or verified email address, regardless of case."""
    wanted_name = name.strip().casefold()
    user = session.scalar(select(User).where(func.lower(User.login) == wanted_name))
    if user is not None:
        return user
    rows = session.scalars(select(Enrollment).where(Enrollment.key == "okta_email", Enrollment.is_active))
    owner = next((row.user_id for row in rows if row.data["email"].casefold() == wanted_name), None)
    return session.get(User, owner) if owner else None


def user_by_id(session: Session, user_id: str | None) -> User:
    """The user with this id. Raises LookupError when it does not exist."""
    user = session.get(User, user_id) if user_id else None
    if user is None:
        raise LookupError(user_id)
    return user


@lru_cache(1)
def _unknown_user_hash() -> str:
    """A hash for unknown names: checking a password against it takes as long as a real check."""
    return opaque_tokens.hash_secret(opaque_tokens.new_token())


def authenticate(call: IdentityCall, name: str, password: str) -> User:
    """The user of this name and password. Raises WrongPassword or Locked, after equal work for every name."""
    user = find_user(call.session, name)
    stored = user.password_hash if user is not None and user.is_active else None
    is_right = opaque_tokens.matches_hash(stored or _unknown_user_hash(), password) and stored is not None
    wrong_passwords = _wrong_passwords(call, user.id if user is not None else name.strip().casefold()[:MAX_NAME_LENGTH])
    if wrong_passwords.is_locked:
        raise Locked
    if not is_right or user is None:
        wrong_passwords.wrong += 1
        wrong_passwords.is_locked = wrong_passwords.wrong >= call.provider.policies["lockout"]["tries"]
        raise WrongPassword
    wrong_passwords.wrong = 0
    return user


def _wrong_passwords(call: IdentityCall, name: str) -> WrongPasswords:
    row = call.session.get(WrongPasswords, name)
    if row is None:
        row = WrongPasswords(name=name, wrong=0, is_locked=False)
        call.session.add(row)
    return row


def is_locked(call: IdentityCall, user: User) -> bool:
    return _wrong_passwords(call, user.id).is_locked


def unlock(call: IdentityCall, user: User) -> None:
    wrong_passwords = _wrong_passwords(call, user.id)
    wrong_passwords.wrong, wrong_passwords.is_locked = 0, False


def is_current_password(call: IdentityCall, user: User, password: str) -> bool:
    """Checks the current password. A wrong one counts as at sign-in. Raises Locked."""
    try:
        return authenticate(call, user.login, password).id == user.id
    except WrongPassword:
        return False


def violated_rules(policy: dict[str, Any], login: str, password: str) -> list[str]:
    """One sentence for each rule that `password` violates."""
    min_length = policy["minLength"]
    name = login.partition("@")[0].casefold()
    checks = [
        (len(password) >= min_length, f"Password must have at least {min_length} characters."),
        (len(password) <= 72, "Password must have at most 72 characters."),
        (not policy["lowercase"] or any(c.islower() for c in password), "Password needs a lower case letter."),
        (not policy["uppercase"] or any(c.isupper() for c in password), "Password needs an upper case letter."),
        (not policy["number"] or any(c.isdigit() for c in password), "Password needs a digit."),
        (
            not policy["excludeUsername"] or len(name) < 3 or name not in password.casefold(),
            "Password may not contain the user name.",
        ),
    ]
    return [sentence for holds, sentence in checks if not holds]


def set_password(call: IdentityCall, user: User, password: str) -> None:
    """Sets a new password. Raises PasswordRefused without changing anything."""
    policy = call.provider.policies["password"]
    violations = violated_rules(policy, user.login, password)
    earlier = [*user.password_history, *([user.password_hash] if user.password_hash else [])]
    recent = earlier[-policy["history"] :] if policy["history"] else []
    if not violations and any(opaque_tokens.matches_hash(old_hash, password) for old_hash in recent):
        violations = [f"Password must differ from the last {policy['history']}."]
    if violations:
        raise PasswordRefused(violations)
    user.password_history = recent
    user.password_hash = opaque_tokens.hash_secret(password)
    user.password_at = user.updated_at = call.now
    user.password_state = "ACTIVE"


def end_sessions(call: IdentityCall, user: User) -> None:
    """Deletes the user's provider sessions and all codes and refresh tokens."""
    for table in (BrowserSession, Ticket):
        for row in call.session.scalars(select(table).where(table.user_id == user.id)):
            call.session.delete(row)


def full_name(user: User) -> str:
    return f"{user.profile.get('firstName') or ''} {user.profile.get('lastName') or ''}".strip() or user.login
