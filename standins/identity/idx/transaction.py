"""A transaction of the identity engine, with accessors for its steps."""

from dataclasses import dataclass
from typing import Any

from standins.identity import transactions
from standins.identity.authenticators import challenges
from standins.identity.authenticators.challenges import KINDS, Attempt
from standins.identity.clients import Client
from standins.identity.responses import IdentityCall, Json
from standins.identity.tables import Enrollment, Transaction, User
from standins.identity.users import user_by_id


class FormError(Exception):
    """An error message; the step stays the same. `field` names its form field."""

    def __init__(self, status: int, key: str, text: str, field: str | None = None):
        super().__init__(text)
        self.status, self.key, self.text, self.field = status, key, text, field


@dataclass
class Tx:
    """A running transaction; `data` is the state of its steps."""

    call: IdentityCall
    state_handle: str
    row: Transaction

    @property
    def data(self) -> Json:
        return self.row.data

    @property
    def step(self) -> str:
        return str(self.data["step"])

    @property
    def user(self) -> User | None:
        """None before identification, and for unknown names."""
        return user_by_id(self.call.session, self.row.user_id) if self.row.user_id else None

    @property
    def policy(self) -> Json:
        """The user's row of the signOn policies."""
        user = self.user
        rows: Json = self.call.provider.policies["signOn"]
        return rows[user.policy] if user is not None else {"second": [], "enroll": {}}

    @property
    def features(self) -> Json:
        features: Json = self.call.provider.policies["features"]
        return features

    @property
    def client(self) -> Client:
        return self.call.provider.clients[self.data["client_id"]]

    @property
    def attempt_key(self) -> str:
        return f"idx:{self.row.digest}"

    def go_to(self, step: str, **values: Any) -> None:
        transactions.update(self.row, step=step, **values)

    @property
    def enrollment(self) -> Enrollment | None:
        """The enrollment that is challenged or enrolled."""
        return self.call.session.get(Enrollment, self.data.get("enrollment", ""))

    @property
    def attempt(self) -> Attempt | None:
        enrollment = self.enrollment
        if enrollment is None:
            return None
        return Attempt(
            self.attempt_key, enrollment, self.data.get("method", ""), self.data.get("context", {}), self.client.origins
        )

    def active_enrollments(self) -> list[Enrollment]:
        user = self.user
        return challenges.active_enrollments(self.call, user) if user is not None else []

    def candidates(self) -> list[Enrollment]:
        """The second factors of the flow authenticate; none before the password is verified."""
        if "okta_password" not in self.data["verified"]:
            return []
        return [enrollment for enrollment in self.active_enrollments() if enrollment.key in self.policy["second"]]

    def due_authenticators(self) -> dict[str, str]:
        """Authenticators to enroll, key -> required or optional; only the required ones while there are any."""
        user = self.user
        enrolled_keys = {enrollment.key for enrollment in self.active_enrollments()}
        if user is not None and user.password_hash:
            enrolled_keys.add("okta_password")
        missing = {key: how for key, how in self.policy["enroll"].items() if key not in enrolled_keys}
        required = {key: how for key, how in missing.items() if how == "required"}
        return required or missing


def current_kind(tx: Tx) -> challenges.Kind:
    return KINDS[tx.data["key"]]
