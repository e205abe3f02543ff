"""Calls for the profile at the provider: its attributes, and changes of those that the learner may edit."""

from typing import Annotated, Any

from aiohttp import web
from pydantic import BaseModel, Field

from domain.identity import learners
from host.api.fields import EmptyRequest, Strict
from host.api.registry import call, query
from host.app_keys import DATABASE
from host.http import request_keys
from host.http.problems import Problem
from host.identity.account.myaccount_client import (
    NO_SIGN_IN,
    REFUSALS,
    MyAccountClient,
    ProviderModel,
    myaccount_client,
    read,
)
from host.identity.errors import SignInError
from host.identity.provider import PROVIDER

MAX_ATTRIBUTES = 100
Name = Annotated[str, Field(max_length=64, pattern=r"^\w+$")]


class Attribute(BaseModel):
    name: str
    title: str
    required: bool
    isReadOnly: bool
    minLength: int | None
    maxLength: int | None


class Profile(BaseModel):
    """Texts by attribute; null: not set. Only text attributes are included."""

    profile: dict[str, str | None]
    attributes: list[Attribute]


class Changes(Strict):
    """Attributes that are left out do not change; null removes a value."""

    profile: Annotated[dict[Name, Annotated[str, Field(max_length=1000)] | None], Field(max_length=MAX_ATTRIBUTES)]


class _Profile(ProviderModel):
    profile: dict[str, Any]


class _Attribute(ProviderModel):
    title: str = ""
    type: str = "string"
    required: bool = False
    minLength: int | None = None
    maxLength: int | None = None
    permissions: Annotated[dict[str, str], Field(default_factory=dict)]


class _Schema(ProviderModel):
    properties: dict[str, _Attribute]


def _profile_schema(profile: _Profile, schema: _Schema) -> Profile:
    texts = {name: attribute for name, attribute in schema.properties.items() if attribute.type == "string"}
    values = {name: profile.profile.get(name) for name in texts}
    return Profile(
        profile={name: value for name, value in values.items() if value is None or isinstance(value, str)},
        attributes=[_attribute_schema(name, attribute) for name, attribute in texts.items()],
    )


def _attribute_schema(name: str, attribute: _Attribute) -> Attribute:
    return Attribute(
        name=name,
        title=attribute.title or name,
        required=attribute.required,
        isReadOnly=attribute.permissions.get("SELF") != "READ_WRITE",
        minLength=attribute.minLength,
        maxLength=attribute.maxLength,
    )


async def _read_schema(client: MyAccountClient) -> _Schema:
    return read(_Schema, await client.call("GET", "/profile/schema"))


@query("account/profile", EmptyRequest, Profile, caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def profile(request: web.Request, _body: EmptyRequest) -> Profile:
    """Return the profile and the description of its attributes."""
    async with myaccount_client(request) as client:
        return _profile_schema(read(_Profile, await client.call("GET", "/profile")), await _read_schema(client))


@call("account/profile", Changes, Profile, method="PUT", caller="learner", no_sign_in=NO_SIGN_IN, refusals=REFUSALS)
async def change(request: web.Request, body: Changes) -> Profile:
    """Change some attributes; those left out do not change."""
    # The provider replaces the whole profile, so the attributes that the page does not show are sent along.
    async with myaccount_client(request, *body.profile) as client:
        before = read(_Profile, await client.call("GET", "/profile")).profile
        payload = {"profile": {**before, **body.profile}}
        changed = _profile_schema(
            read(_Profile, await client.call("PUT", "/profile", payload)), await _read_schema(client)
        )
    await _relabel_learner(request, changed)
    return changed


async def lacks_details(request: web.Request, access_token: str) -> bool:
    """Whether a new account has required attributes without a value that its learner may write; False when the provider
    does not say. Within the deadline of whoever calls."""
    client = MyAccountClient(request, request.app[PROVIDER], access_token, frozenset())
    try:
        own = _profile_schema(read(_Profile, await client.call("GET", "/profile")), await _read_schema(client))
    except (Problem, SignInError):
        return False
    return any(row.required and not row.isReadOnly and not own.profile.get(row.name) for row in own.attributes)


async def _relabel_learner(request: web.Request, changed: Profile) -> None:
    """Store first and last name as the learner's name in our database."""
    parts = [(changed.profile.get(attribute) or "").strip() for attribute in ("firstName", "lastName")]
    name = " ".join(part for part in parts if part)
    if name:
        await request.app[DATABASE].write(
            learners.relabel, request[request_keys.AUTH_SESSION].learner_id, name=name[:255]
        )
