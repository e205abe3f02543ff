"""New accounts made by their owners."""

import re

from standins.identity import opaque, outbox, tickets, users
from standins.identity.answers import Json, text_of
from standins.identity.authenticators import enroll
from standins.identity.idx.transaction import Problem, Tx
from standins.identity.tables import User

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s]+")
LONGEST = {"firstName": 50, "lastName": 50, "email": 254}
_TAKEN = "A user with this Email already exists"


def register(tx: Tx, profile: Json, credentials: Json) -> User:
    """An account that waits for what its policy requires. Raises Problem."""
    values = _checked(profile)
    call, address = tx.call, values["email"]
    present = users.find(call.session, address)
    if present is not None and present.is_active:
        raise Problem(400, "registration.error.notUniqueWithinOrg", _TAKEN, "email")
    rules = call.provider.policies["registration"]
    password = text_of(credentials, "passcode")
    causes = users.broken_rules(call.provider.policies["password"], address, password) if rules["withPassword"] else []
    if causes:
        raise Problem(403, "password.passwordRequirementsNotMet", " ".join(causes), "passcode")
    if present is not None:
        # Begun before and never finished: the newest attempt counts.
        call.session.delete(present)
        call.session.flush()
    user = User(
        id=opaque.new_id("00u"),
        login=address,
        profile={"login": address, **values},
        password_hash=opaque.hashed(password) if rules["withPassword"] else None,
        password_at=call.now,
        password_history=[],
        password_state="ACTIVE",  # noqa: S106 a state
        policy=rules["policy"],
        is_active=False,
        has_declined=False,
        created_at=call.now,
        updated_at=call.now,
    )
    call.session.add(user)
    enroll(call, user, "okta_email", {"email": address, "roles": ["PRIMARY"]})
    return user


def _checked(profile: Json) -> dict[str, str]:
    values = {name: text_of(profile, name).strip() for name in LONGEST}
    for name, value in values.items():
        if not value:
            raise Problem(400, "registration.error.doesNotMatchPattern", "This field cannot be left blank", name)
        if len(value) > LONGEST[name]:
            raise Problem(400, "registration.error.tooLong", f"At most {LONGEST[name]} characters", name)
    if not _EMAIL.fullmatch(values["email"]):
        text = "'Email' must be in the form of an email address"
        raise Problem(400, "registration.error.invalidLoginEmail", text, "email")
    return values


def send_activation(tx: Tx, user: User) -> None:
    """A word by mail that lets its owner go on, and proves the address."""
    call = tx.call
    word = tickets.issue(call, "activation", {}, call.seconds("recoveryToken"), user.id)
    link = f"{tx.client.origins[0]}/register?activationToken={word}"
    subject = "Finish your registration"
    outbox.put(
        call, user.profile["email"], "email", "activation", login=user.login, token=word, link=link, subject=subject
    )
