"""The JSON models of a transaction (docs/contracts.md)."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, SkipValidation
from typing_extensions import TypedDict

from domain.permissions import Area

FlowName = Literal["authenticate", "register", "recoverPassword", "unlockAccount"]
AuthenticatorKind = Literal["password", "email", "phone", "app", "question", "verify", "webauthn"]
InputType = Literal["text", "password", "email", "tel", "code", "boolean", "choice", "hidden"]


class Option(BaseModel):
    value: str
    label: str
    kind: AuthenticatorKind | None = None
    inputs: list["Input"] = []


class Input(BaseModel):
    name: str
    label: str
    type: InputType
    required: bool
    value: str | bool | None = None
    minLength: int | None = None
    maxLength: int | None = None
    autocomplete: str | None = None
    options: list[Option] | None = None


class SecurityQuestion(TypedDict):
    key: str
    question: str


class PasswordRules(TypedDict, total=False):
    """`lowercase` and the like: the required number, or whether one is required."""

    minLength: int
    lowercase: int | bool
    uppercase: int | bool
    number: int | bool
    symbol: int | bool
    excludeUsername: bool


class AuthenticatorData(TypedDict, total=False):
    """Data that a person or a browser needs to complete a step; each member only where it applies."""

    qrcode: str
    secret: str
    contact: str
    questions: list[SecurityQuestion]
    question: str
    activation: dict[str, Any]
    challenge: dict[str, Any]
    correctAnswer: str | int
    rules: PasswordRules


class Authenticator(BaseModel):
    kind: AuthenticatorKind
    label: str
    # The provider's data is passed on without validation.
    data: SkipValidation[AuthenticatorData]


class Poll(BaseModel):
    everyMs: int


class Step(BaseModel):
    """`label`: the name of the other identity provider of a redirect-idp step."""

    name: str
    inputs: list[Input]
    authenticator: Authenticator | None = None
    poll: Poll | None = None
    href: str | None = None
    label: str | None = None


class FlowMessage(BaseModel):
    key: str
    text: str
    kind: Literal["error", "warning", "info"]
    field: str | None


class Place(BaseModel):
    """The step of a registration, counted from 1, of how many."""

    step: int
    of: int


class Transaction(BaseModel):
    """`place`: of a step that a new account must take; null for the others."""

    status: Literal["PENDING", "SUCCESS", "TERMINAL", "CANCELED"]
    flow: FlowName
    area: Area
    returnTo: str
    username: str | None
    place: Place | None
    steps: list[Step]
    messages: list[FlowMessage]
    canCancel: bool
    canResend: bool
    redirect: str | None
    stepUp: bool
    retryAfterMs: int | None
    expiresAt: datetime
