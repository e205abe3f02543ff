"""The initial accounts of a development provider. Existing accounts are left unchanged."""

from functools import lru_cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from standins.identity import opaque_tokens
from standins.identity.tables import Enrollment, User, WrongPasswords

PASSWORD = "Correct-Horse-1"
MAIL_DOMAIN = "example.test"


def add_missing(session: Session, accounts: list[dict[str, Any]], now: float) -> None:
    present = set(session.scalars(select(User.login)))
    for row in accounts:
        if row["login"] not in present:
            add_user(session, row, now)


@lru_cache
def _hash_password(password: str) -> str:
    """Cached: hashing the same password for a dozen accounts would delay the first start."""
    return opaque_tokens.hash_secret(password)


def add_user(session: Session, row: dict[str, Any], now: float) -> User:
    """Adds a user. Keys of a row: login, firstName, lastName; optional email, password (None: none),
    passwordState, policy, isLocked, phone, question ({questionKey, answer})."""
    address = row.get("email", f"{row['login']}@{MAIL_DOMAIN}")
    password = row.get("password", PASSWORD)
    user = User(
        id=opaque_tokens.new_id("00u"),
        login=row["login"],
        profile={"login": row["login"], "email": address, "firstName": row["firstName"], "lastName": row["lastName"]},
        password_hash=_hash_password(password) if password else None,
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
        question = {
            "questionKey": row["question"]["questionKey"],
            "answer": opaque_tokens.hash_secret(row["question"]["answer"].casefold()),
        }
        _enroll(session, user, "security_question", question, now)
    if row.get("isLocked"):
        session.add(WrongPasswords(name=user.id, wrong=0, is_locked=True))
    return user


def _enroll(session: Session, user: User, key: str, data: dict[str, Any], now: float) -> None:
    prefix = {"okta_email": "eae", "phone_number": "sms"}.get(key, "uft")
    session.add(
        Enrollment(id=opaque_tokens.new_id(prefix), user_id=user.id, key=key, is_active=True, data=data, created_at=now)
    )
