"""The accounts a development provider begins with. They come from data, and what was changed since stays changed."""

from functools import lru_cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from standins.identity import opaque
from standins.identity.tables import Enrollment, Guess, User

PASSWORD = "Correct-Horse-1"  # noqa: S105 of the demo accounts, documented in the README
MAIL_DOMAIN = "example.test"


def seed(session: Session, accounts: list[dict[str, Any]], now: float) -> None:
    present = set(session.scalars(select(User.login)))
    for row in accounts:
        if row["login"] not in present:
            add(session, row, now)


@lru_cache
def _hashed(password: str) -> str:
    """Making a dozen equal ones takes noticeable time at every first start."""
    return opaque.hashed(password)


def add(session: Session, row: dict[str, Any], now: float) -> User:
    """Keys of a row: login, firstName, lastName; optional email, password (None: none), passwordState, policy,
    isLocked, phone, question ({questionKey, answer})."""
    address = row.get("email", f"{row['login']}@{MAIL_DOMAIN}")
    password = row.get("password", PASSWORD)
    user = User(
        id=opaque.new_id("00u"),
        login=row["login"],
        profile={"login": row["login"], "email": address, "firstName": row["firstName"], "lastName": row["lastName"]},
        password_hash=_hashed(password) if password else None,
        password_at=now,
        password_history=[],
        password_state=row.get("passwordState", "ACTIVE"),
        policy=row.get("policy", "password"),
        is_active=True,
        has_declined=False,
        created_at=now,
        updated_at=now,
    )
    session.add(user)
    _enroll(session, user, "okta_email", {"email": address, "roles": ["PRIMARY"]}, now)
    if "phone" in row:
        _enroll(session, user, "phone_number", {"phoneNumber": row["phone"]}, now)
    if "question" in row:
        kept = {
            "questionKey": row["question"]["questionKey"],
            "answer": opaque.hashed(row["question"]["answer"].casefold()),
        }
        _enroll(session, user, "security_question", kept, now)
    if row.get("isLocked"):
        session.add(Guess(name=user.id, wrong=0, is_locked=True))
    return user


def _enroll(session: Session, user: User, key: str, data: dict[str, Any], now: float) -> None:
    prefix = {"okta_email": "eae", "phone_number": "sms"}.get(key, "uft")
    session.add(
        Enrollment(id=opaque.new_id(prefix), user_id=user.id, key=key, is_active=True, data=data, created_at=now)
    )
