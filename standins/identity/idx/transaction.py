"""A transaction of the identity engine as its steps see it."""

from dataclasses import dataclass
from typing import Any

from standins.identity import authenticators, transactions
from standins.identity.answers import Call, Json
from standins.identity.authenticators import KINDS, Attempt
from standins.identity.clients import Client
from standins.identity.tables import Enrollment, Transaction, User
from standins.identity.users import of_id


class Problem(Exception):
    """A message beside the forms, which stay as they are; `field` names the field it belongs to."""

    def __init__(self, status: int, key: str, text: str, field: str | None = None):
        super().__init__(text)
        self.status, self.key, self.text, self.field = status, key, text, field


@dataclass
class Tx:
    """`word` is the state handle; what the steps know stands in `data`."""

    call: Call
    word: str
    row: Transaction

    @property
    def data(self) -> Json:
        return self.row.data

    @property
    def step(self) -> str:
        return str(self.data["step"])

    @property
    def user(self) -> User | None:
        """None before somebody is named, and for names that do not exist."""
        return of_id(self.call.session, self.row.user_id) if self.row.user_id else None

    @property
    def policy(self) -> Json:
        """The signOn row of the user's."""
        user = self.user
        rows: Json = self.call.provider.policies["signOn"]
        return rows[user.policy] if user is not None else {"second": [], "enroll": {}}

    @property
    def features(self) -> Json:
        found: Json = self.call.provider.policies["features"]
        return found

    @property
    def client(self) -> Client:
        return self.call.provider.clients[self.data["client_id"]]

    @property
    def about(self) -> str:
        return f"idx:{self.row.digest}"

    def go(self, step: str, **values: Any) -> None:
        transactions.update(self.row, step=step, **values)

    @property
    def enrollment(self) -> Enrollment | None:
        """That of the authenticator being asked or enrolled."""
        return self.call.session.get(Enrollment, self.data.get("enrollment", ""))

    @property
    def attempt(self) -> Attempt | None:
        found = self.enrollment
        if found is None:
            return None
        return Attempt(
            self.about, found, self.data.get("method", ""), self.data.get("context", {}), self.client.origins
        )

    def held(self) -> list[Enrollment]:
        user = self.user
        return authenticators.of_user(self.call, user) if user is not None else []

    def candidates(self) -> list[Enrollment]:
        """What may be proved now, in the flow authenticate: the password first, then a second factor."""
        if "okta_password" not in self.data["verified"]:
            return []
        return [one for one in self.held() if one.key in self.policy["second"]]

    def due(self) -> dict[str, str]:
        """Authenticators still to be enrolled: key -> required or optional; required ones first and alone."""
        user = self.user
        held = {one.key for one in self.held()}
        if user is not None and user.password_hash:
            held.add("okta_password")
        left = {key: how for key, how in self.policy["enroll"].items() if key not in held}
        required = {key: how for key, how in left.items() if how == "required"}
        return required or left


def kind_of(tx: Tx) -> authenticators.Kind:
    return KINDS[tx.data["key"]]
