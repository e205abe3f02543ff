"""Self-registration: new accounts and their activation mail."""

import re

from standins.identity import opaque_tokens, outbox, tickets, users
from standins.identity.authenticators.challenges import enroll
from standins.identity.idx.transaction import FormError, Tx
from standins.identity.responses import Json, text_of
from standins.identity.tables import User

_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]+\.[^@\s]+")
MAX_LENGTHS = {"firstName": 50, "lastName": 50, "email": 254}
_TAKEN = "A user with this Email already exists"


def register(tx: Tx, profile: Json, credentials: Json) -> User:
    """Adds an inactive account. Raises FormError."""
    values = _validate_profile(profile)
    call, address = tx.call, values["email"]
    existing = users.find_user(call.session, address)
    if existing is not None and existing.is_active:
        raise FormError(400, "registration.error.notUniqueWithinOrg", _TAKEN, "email")
    rules = call.provider.policies["registration"]
    password = text_of(credentials, "passcode")
    causes = (
        users.violated_rules(call.provider.policies["password"], address, password) if rules["withPassword"] else []
    )
    if causes:
        raise FormError(403, "password.passwordRequirementsNotMet", " ".join(causes), "passcode")
    if existing is not None:
        # An unfinished registration of the same address is replaced.
        call.session.delete(existing)
        call.session.flush()
    user = User(
        id=opaque_tokens.new_id("00u"),
        login=address,
        profile={"login": address, **values},
        password_hash=opaque_tokens.hash_secret(password) if rules["withPassword"] else None,
        password_at=call.now,
        password_history=[],
        password_state="ACTIVE",
        policy=rules["policy"],
        is_active=False,
        has_declined=False,
        created_at=call.now,
        updated_at=call.now,
    )
    call.session.add(user)
    enroll(call, user, "okta_email", {"email": address, "roles": ["PRIMARY"]})
    return user


def _validate_profile(profile: Json) -> dict[str, str]:
    values = {name: text_of(profile, name).strip() for name in MAX_LENGTHS}
    for name, value in values.items():
        if not value:
            raise FormError(400, "registration.error.doesNotMatchPattern", "This field cannot be left blank", name)
        if len(value) > MAX_LENGTHS[name]:
            raise FormError(400, "registration.error.tooLong", f"At most {MAX_LENGTHS[name]} characters", name)
    if not _EMAIL.fullmatch(values["email"]):
        text = "'Email' must be in the form of an email address"
        raise FormError(400, "registration.error.invalidLoginEmail", text, "email")
    return values


def send_activation(tx: Tx, user: User) -> None:
    """Sends a link that continues the registration and verifies the address."""
    call = tx.call
    token = tickets.issue(call, "activation", {}, call.seconds("recoveryToken"), user.id)
    link = f"{tx.client.origins[0]}/register?activationToken={token}"
    subject = "Finish your registration"
    outbox.add_message(
        call, user.profile["email"], "email", "activation", login=user.login, token=token, link=link, subject=subject
    )
