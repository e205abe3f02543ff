"""The billing address of a business in a form that the server describes."""

from typing import Annotated

from pydantic import Field

from domain.checkout import form_fields
from domain.checkout.form_fields import BUYER
from domain.postal_addresses import countries as address_countries
from host.api.admin.actions import FormField
from host.api.fields import Strict

Line = Annotated[str, Field(max_length=255)]
PurchaseOrder = Annotated[str, Field(max_length=form_fields.MAX_PURCHASE_ORDER), FormField("Purchase order number")]


class BillingAddress(Strict):
    """The names are those of the checkout, which puts "billing." before them."""

    company_name: Annotated[Line, FormField("Company", is_required=True)] = ""
    name: Annotated[Line, FormField("Contact")] = ""
    street_address: Annotated[Line, FormField("Street and number", is_required=True)] = ""
    postal_code: Annotated[str, Field(max_length=20), FormField("Postal code")] = ""
    city: Annotated[Line, FormField("City", is_required=True)] = ""
    country_area: Annotated[Line, FormField("State or province")] = ""
    country: Annotated[
        Line, FormField("Country", "choice", options=dict(address_countries.countries()), is_required=True)
    ] = ""
    vat_id: Annotated[str, Field(max_length=30), FormField("VAT id")] = ""
    purchase_order: PurchaseOrder = ""


def checkout_values(billing: BillingAddress) -> dict[str, str]:
    """The address as the checkout has it."""
    return {BUYER: "business", **{f"billing.{name}": text for name, text in billing.model_dump().items() if text}}
