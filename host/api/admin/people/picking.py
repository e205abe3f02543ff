"""The calls behind fields in which staff pick one of many things."""

from aiohttp import web
from pydantic import BaseModel, Field

from domain.permissions import Permission
from domain.support import picking
from host.api.registry import query
from host.app_keys import DATABASE

KINDS = {"course": "Course", "item": "Shop item"}


class PickerQuery(BaseModel):
    q: str = Field(min_length=2, max_length=100, description="a part of the name or the address")


class PickedProduct(BaseModel):
    """`slug`: with its kind before it, as calls about products take it."""

    slug: str
    name: str
    detail: str


class PickedOrganisation(BaseModel):
    """`slug`: as calls about contracts take it."""

    slug: str
    name: str


class PickedOrganisations(BaseModel):
    organisations: list[PickedOrganisation] = Field(max_length=picking.MAX_OPTIONS)


class PickedProducts(BaseModel):
    products: list[PickedProduct] = Field(max_length=picking.MAX_OPTIONS)


@query("admin/picker/products", PickerQuery, PickedProducts, area="admin", permission=Permission.CATALOGUE_READ)
async def pick_product(request: web.Request, typed: PickerQuery) -> PickedProducts:
    """The products that were published and whose name or address has this text; at most ten."""
    found = await request.app[DATABASE].read(picking.products, typed.q)
    return PickedProducts(
        products=[
            PickedProduct(slug=f"{row.kind}:{row.slug}", name=row.name, detail=f"{KINDS[row.kind]}, {row.status}")
            for row in found
        ]
    )


@query(
    "admin/picker/organisations",
    PickerQuery,
    PickedOrganisations,
    area="admin",
    permission=Permission.ORGANISATIONS_READ,
)
async def pick_organisation(request: web.Request, typed: PickerQuery) -> PickedOrganisations:
    """The approved organisations whose name or short name has this text; at most ten."""
    found = await request.app[DATABASE].read(picking.organisations, typed.q)
    return PickedOrganisations(organisations=[PickedOrganisation(slug=row.slug, name=row.name) for row in found])
