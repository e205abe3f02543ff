"""The form in which the browser gets a transaction (docs/wire.md)."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel


class Option(BaseModel):
    value: str
    label: str
    kind: str | None = None
    inputs: list["Input"] = []


class Input(BaseModel):
    """`type`: text | password | email | tel | code | boolean | choice | hidden."""

    name: str
    label: str
    type: str
    required: bool
    value: str | bool | None = None
    minLength: int | None = None
    maxLength: int | None = None
    autocomplete: str | None = None
    options: list[Option] | None = None


class Authenticator(BaseModel):
    kind: str
    label: str
    data: dict[str, Any]


class Poll(BaseModel):
    everyMs: int


class Step(BaseModel):
    """`label` names another provider behind redirect-idp."""

    name: str
    inputs: list[Input]
    authenticator: Authenticator | None = None
    poll: Poll | None = None
    href: str | None = None
    label: str | None = None


class Said(BaseModel):
    key: str
    text: str
    kind: Literal["error", "warning", "info"]
    field: str | None


class Transaction(BaseModel):
    status: Literal["PENDING", "SUCCESS", "TERMINAL", "CANCELED"]
    flow: str
    area: str
    returnTo: str
    username: str | None
    steps: list[Step]
    messages: list[Said]
    canCancel: bool
    canResend: bool
    redirect: str | None
    stepUp: bool
    retryAfterMs: int | None
    expiresAt: datetime
