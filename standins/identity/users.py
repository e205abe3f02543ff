"""Users: finding them, checking and changing passwords, lock-out."""

from functools import lru_cache
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from standins.identity import opaque
from standins.identity.answers import Call
from standins.identity.tables import BrowserSession, Enrollment, Guess, Ticket, User

LONGEST_NAME = 254


class WrongPassword(Exception):
    """Unknown name or wrong password; nobody is told which."""


class Locked(Exception):
    """Too many wrong passwords in a row, of a known or an unknown name."""


class PolicyBroken(Exception):
    """`causes`: a sentence for each rule that a new password breaks."""

    def __init__(self, causes: list[str]):
        super().__init__(" ".join(causes))
        self.causes = causes


def find(session: Session, name: str) -> User | None:
    """By login, else by a verified e-mail address; case does not matter."""
    wanted = name.strip().casefold()
    found = session.scalar(select(User).where(func.lower(User.login) == wanted))
    if found is not None:
        return found
    rows = session.scalars(select(Enrollment).where(Enrollment.key == "okta_email", Enrollment.is_active))
    owner = next((row.user_id for row in rows if row.data["email"].casefold() == wanted), None)
    return session.get(User, owner) if owner else None


def of_id(session: Session, user_id: str | None) -> User:
    """Raises LookupError for a user that is gone."""
    user = session.get(User, user_id) if user_id else None
    if user is None:
        raise LookupError(user_id)
    return user


@lru_cache(1)
def _nobody() -> str:
    """What an unknown name's password is compared with, so that it takes as long."""
    return opaque.hashed(opaque.new())


def signed_in(call: Call, name: str, password: str) -> User:
    """The user of a right password. Raises WrongPassword or Locked, after the same work for every name."""
    user = find(call.session, name)
    stored = user.password_hash if user is not None and user.is_active else None
    is_right = opaque.matches(stored or _nobody(), password) and stored is not None
    guess = _guess(call, user.id if user is not None else name.strip().casefold()[:LONGEST_NAME])
    if guess.is_locked:
        raise Locked
    if not is_right or user is None:
        guess.wrong += 1
        guess.is_locked = guess.wrong >= call.provider.policies["lockout"]["tries"]
        raise WrongPassword
    guess.wrong = 0
    return user


def _guess(call: Call, name: str) -> Guess:
    guess = call.session.get(Guess, name)
    if guess is None:
        guess = Guess(name=name, wrong=0, is_locked=False)
        call.session.add(guess)
    return guess


def is_locked(call: Call, user: User) -> bool:
    return _guess(call, user.id).is_locked


def unlock(call: Call, user: User) -> None:
    guess = _guess(call, user.id)
    guess.wrong, guess.is_locked = 0, False


def checked_password(call: Call, user: User, password: str) -> bool:
    """A current password typed again; wrong ones count as at sign-in. Raises Locked."""
    try:
        return signed_in(call, user.login, password).id == user.id
    except WrongPassword:
        return False


def broken_rules(policy: dict[str, Any], login: str, password: str) -> list[str]:
    """Sentences for the rules that `password` breaks."""
    least = policy["minLength"]
    name = login.partition("@")[0].casefold()
    checks = [
        (len(password) >= least, f"Password must have at least {least} characters."),
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


def set_password(call: Call, user: User, password: str) -> None:
    """Raises PolicyBroken; nothing is changed then."""
    policy = call.provider.policies["password"]
    causes = broken_rules(policy, user.login, password)
    earlier = [*user.password_history, *([user.password_hash] if user.password_hash else [])]
    recent = earlier[-policy["history"] :] if policy["history"] else []
    if not causes and any(opaque.matches(one, password) for one in recent):
        causes = [f"Password must differ from the last {policy['history']}."]
    if causes:
        raise PolicyBroken(causes)
    user.password_history = recent
    user.password_hash = opaque.hashed(password)
    user.password_at = user.updated_at = call.now
    user.password_state = "ACTIVE"  # noqa: S105 a state


def end_sessions(call: Call, user: User) -> None:
    """Everywhere: the provider's own sessions and what could be exchanged for new tokens."""
    for table in (BrowserSession, Ticket):
        for row in call.session.scalars(select(table).where(table.user_id == user.id)):
            call.session.delete(row)


def name_of(user: User) -> str:
    return f"{user.profile.get('firstName') or ''} {user.profile.get('lastName') or ''}".strip() or user.login
