"""GET /api/address-form: the fields of an address in a country."""

import asyncio

from aiohttp import web
from pydantic import BaseModel

from domain.errors import NotFound
from domain.postal_addresses.countries import UnknownCountry
from domain.postal_addresses.fields import AddressField, fields_of
from host.api.fields import Strict
from host.api.registry import query

DAY_S = 86_400


class AddressFormQuery(Strict):
    """`country`: ISO 3166-1 alpha-2, upper case."""

    country: str = ""


class OptionSchema(BaseModel):
    value: str
    label: str


class AddressFieldSchema(BaseModel):
    """`options`: the only values, if there are any. `lines`: more than one for a text of several lines. `example`: ""
    for none; postal codes are taken in any usual writing of them."""

    name: str
    label: str
    required: bool
    options: list[OptionSchema]
    autocomplete: str
    lines: int
    example: str


class AddressForm(BaseModel):
    """In the order of the country, after the country itself."""

    fields: list[AddressFieldSchema]


@query("address-form", AddressFormQuery, AddressForm, caller="anyone", refusals=(404,), max_age_s=DAY_S)
async def address_form(_request: web.Request, body: AddressFormQuery) -> AddressForm:
    """Return the fields of an address in a country, labelled as people there call them."""
    try:
        # The first form of a country reads its file: up to 0.9 MB.
        fields = await asyncio.to_thread(fields_of, body.country)
    except UnknownCountry:
        raise NotFound("There is no such country.") from None
    return AddressForm(fields=[_schema(field) for field in fields])


def _schema(field: AddressField) -> AddressFieldSchema:
    options = [OptionSchema(value=option.value, label=option.label) for option in field.options]
    return AddressFieldSchema.model_validate({**vars(field), "options": options})
