"""The calls behind fields in which staff pick one of many things."""

from collections.abc import Callable
from typing import Any

from aiohttp import web
from pydantic import BaseModel, Field

from domain.permissions import Permission
from domain.rates import delivery_zones
from domain.support import picking
from domain.support.picking import PickedThing
from host.api.registry import query
from host.app_keys import DATABASE


class PickerQuery(BaseModel):
    q: str = Field(min_length=2, max_length=100, description="a part of the name or the address")


class PickerOption(BaseModel):
    """`value`: as calls take it. `detail` may be ""."""

    value: str
    text: str
    detail: str


class PickerOptions(BaseModel):
    options: list[PickerOption] = Field(max_length=picking.MAX_OPTIONS)


@query("admin/picker/products", PickerQuery, PickerOptions, permission=Permission.CATALOGUE_READ)
async def pick_product(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The products that were published and whose name or address has this text; at most ten. The value is the address
    with the kind before it, such as course:vat-basics."""
    return await _options(request, picking.products, typed.q)


@query("admin/picker/courses", PickerQuery, PickerOptions, permission=Permission.CATALOGUE_READ)
async def pick_course(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The published courses whose name or address has this text; at most ten. The value is the address."""
    return await _options(request, picking.published, typed.q, "course")


@query("admin/picker/items", PickerQuery, PickerOptions, permission=Permission.CATALOGUE_READ)
async def pick_item(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The published shop items whose name or address has this text; at most ten. The value is the address."""
    return await _options(request, picking.published, typed.q, "item")


@query("admin/picker/categories", PickerQuery, PickerOptions, permission=Permission.CATALOGUE_READ)
async def pick_category(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The categories whose name or short name has this text; at most ten."""
    return await _options(request, picking.categories, typed.q)


@query("admin/picker/instructors", PickerQuery, PickerOptions, permission=Permission.CATALOGUE_READ)
async def pick_instructor(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The instructors whose name or short name has this text; at most ten."""
    return await _options(request, picking.instructors, typed.q)


@query("admin/picker/people", PickerQuery, PickerOptions, permission=Permission.LEARNERS_READ)
async def pick_person(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The people whom the search for a learner finds; at most ten. The value is the student number."""
    return await _options(request, picking.people, typed.q)


@query("admin/picker/organisations", PickerQuery, PickerOptions, permission=Permission.ORGANISATIONS_READ)
async def pick_organisation(request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The approved organisations whose name or short name has this text; at most ten."""
    return await _options(request, picking.organisations, typed.q)


@query("admin/picker/places", PickerQuery, PickerOptions, area="admin", permission=Permission.PRICES_WRITE)
async def pick_place(_request: web.Request, typed: PickerQuery) -> PickerOptions:
    """The countries whose name has this text or whose two letters it is, and behind a comma their areas; at most
    ten. The value is the code, such as AT or CA-QC."""
    found = delivery_zones.find_places(typed.q)
    texts = [PickerOption(value=one.text, text=delivery_zones.place_text(one), detail=one.text) for one in found]
    return PickerOptions(options=texts)


async def _options(request: web.Request, find: Callable[..., list[PickedThing]], *arguments: Any) -> PickerOptions:
    found = await request.app[DATABASE].read(find, *arguments)
    return PickerOptions(options=[PickerOption(**row._asdict()) for row in found])
