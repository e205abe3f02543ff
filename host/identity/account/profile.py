"""The profile at the provider: what it holds, and what of it its owner may change."""

from typing import Annotated, Any

from aiohttp import web
from pydantic import BaseModel, Field

from domain import learners
from host import keys
from host.calls import call, query
from host.calls.forms import Nothing, Strict
from host.identity.account.asking import REFUSALS, Asking, Theirs, asking, read

MOST = 100
Name = Annotated[str, Field(max_length=64, pattern=r"^\w+$")]


class Attribute(BaseModel):
    name: str
    title: str
    required: bool
    isReadOnly: bool
    minLength: int | None
    maxLength: int | None


class Profile(BaseModel):
    """Texts by attribute; null: not set. Attributes that are no text are left out."""

    profile: dict[str, str | None]
    attributes: list[Attribute]


class Changes(Strict):
    """What is left out stays as it is; null unsets."""

    profile: Annotated[dict[Name, Annotated[str, Field(max_length=1000)] | None], Field(max_length=MOST)]


class _Profile(Theirs):
    profile: dict[str, Any]


class _Attribute(Theirs):
    title: str = ""
    type: str = "string"
    required: bool = False
    minLength: int | None = None
    maxLength: int | None = None
    permissions: Annotated[dict[str, str], Field(default_factory=dict)]


class _Schema(Theirs):
    properties: dict[str, _Attribute]


def _form(profile: _Profile, schema: _Schema) -> Profile:
    texts = {name: one for name, one in schema.properties.items() if one.type == "string"}
    values = {name: profile.profile.get(name) for name in texts}
    return Profile(
        profile={name: value for name, value in values.items() if value is None or isinstance(value, str)},
        attributes=[_attribute(name, one) for name, one in texts.items()],
    )


def _attribute(name: str, one: _Attribute) -> Attribute:
    return Attribute(
        name=name,
        title=one.title or name,
        required=one.required,
        isReadOnly=one.permissions.get("SELF") != "READ_WRITE",
        minLength=one.minLength,
        maxLength=one.maxLength,
    )


async def _schema(them: Asking) -> _Schema:
    return read(_Schema, await them.ask("GET", "/profile/schema"))


@query("account/profile", Nothing, Profile, who="learner", refusals=REFUSALS)
async def shown(request: web.Request, _asked: Nothing) -> Profile:
    """The profile, and what is known of its attributes."""
    async with asking(request) as them:
        return _form(read(_Profile, await them.ask("GET", "/profile")), await _schema(them))


@call("account/profile", Changes, Profile, method="PUT", who="learner", refusals=REFUSALS)
async def change(request: web.Request, body: Changes) -> Profile:
    """Other values of some attributes; those left out stay."""
    # The provider takes the whole set: what a page does not show must not be lost.
    async with asking(request, *body.profile) as them:
        before = read(_Profile, await them.ask("GET", "/profile")).profile
        sent = {"profile": {**before, **body.profile}}
        made = _form(read(_Profile, await them.ask("PUT", "/profile", sent)), await _schema(them))
    await _told(request, made)
    return made


async def _told(request: web.Request, made: Profile) -> None:
    """Our label of the learner goes with the names."""
    names = [made.profile.get(part) or "" for part in ("firstName", "lastName")]
    name = " ".join(one.strip() for one in names if one.strip())
    if name:
        await request.app[keys.DATABASE].run(learners.relabel, request[keys.SIGNED_IN].learner_id, name=name[:255])
