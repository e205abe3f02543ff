"""The calls behind fields in which somebody picks a member, or a course to buy seats of."""

from datetime import UTC, datetime

from aiohttp import web
from pydantic import BaseModel, Field

from domain import money
from domain.checkout import first_seats
from domain.display_text import money_text
from domain.organisations import picking
from domain.permissions import Permission
from host.api.registry import query
from host.app_keys import DATABASE, SETTINGS
from host.http import request_keys


class OptionsQuery(BaseModel):
    q: str = Field(min_length=2, max_length=100, description="a part of the name")


class PickedOption(BaseModel):
    """`value`: as calls take it. `detail` may be ""."""

    value: str
    text: str
    detail: str


class PickedOptions(BaseModel):
    options: list[PickedOption] = Field(max_length=max(picking.MAX_OPTIONS, first_seats.MAX_OPTIONS))


@query("organization/picker/members", OptionsQuery, PickedOptions, permission=Permission.MEMBERS_WRITE)
async def pick_member(request: web.Request, typed: OptionsQuery) -> PickedOptions:
    """Members whose name, address or team begins or fits so; at most ten. The value is the address."""
    tenant = request[request_keys.ACTOR].tenant
    found = await request.app[DATABASE].read(picking.members, tenant, typed.q)
    return PickedOptions(
        options=[
            PickedOption(
                value=row.email, text=row.name or row.email, detail=", ".join(filter(None, (row.email, row.team)))
            )
            for row in found
        ]
    )


@query("organization/picker/courses", OptionsQuery, PickedOptions, permission=Permission.PURCHASES_WRITE)
async def pick_course(request: web.Request, typed: OptionsQuery) -> PickedOptions:
    """Courses of which seats are sold, by a part of their name, with the price of a seat; at most ten."""
    settings = request.app[SETTINGS]
    currency = settings.shop.currency
    found = await request.app[DATABASE].read(first_seats.courses_named, typed.q, datetime.now(UTC))
    return PickedOptions(
        options=[
            PickedOption(
                value=row.slug,
                text=row.name,
                detail=money_text(money.to_minor(row.price, currency), currency, settings.locale),
            )
            for row in found
        ]
    )
