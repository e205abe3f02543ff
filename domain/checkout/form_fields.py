"""The fields of the checkout's form, as records: the plain form and React's are both made of them.

Only what an order needs is asked for. Private and digital: name, country, and the area where tax differs by it.
Business: company, VAT id, whole address. Anything shipped: a whole delivery address, and the billing address is the
same unless the learner says otherwise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from domain.errors import InvalidInput
from domain.european_union import EU_COUNTRIES
from domain.postal_addresses import areas_of_codes
from domain.postal_addresses import fields as address_fields
from domain.postal_addresses import validation as address_validation
from domain.postal_addresses.countries import countries
from domain.postal_addresses.fields import AddressField, AddressOption

Group = Literal["buyer", "delivery", "billing", "withdrawal", "gift"]
FieldKind = Literal["text", "email", "date", "lines", "select", "radio", "checkbox"]
# Where the tax in a country differs by area, or by postal code.
HasRates = Callable[[str], bool]
# The compact form of a VAT id of a country, in an order with or without goods that are shipped; raises InvalidInput.
CheckVatId = Callable[[str, str, bool], str]

CHECKED = "yes"
# What a draft stores of one field, which may be wrong.
MAX_VALUE_LENGTH = 1_000
BUYER = "buyer"
OTHER_BILLING = "billing.other"
VAT_ID = "billing.vat_id"
# The number by which a business buyer knows the order, which their invoice must name.
PURCHASE_ORDER = "billing.purchase_order"
MAX_PURCHASE_ORDER = 50
CONSENT = "withdrawal.consent"
# What private buyers in the Union consent to (Directive 2011/83/EU, article 16 m), and the day of these words.
CONSENT_LABEL = (
    "Begin at once, before the 14 days to withdraw are over. I know that I lose my right of withdrawal for digital "
    "content once you have begun."
)
CONSENT_TEXT = "2026-11-29"
NO_CONSENT = "Tick this box: without it we cannot give you what you order within the first 14 days."
COMPANY, AREA, CODE = "company_name", "country_area", "postal_code"
_OTHER_COMPANY = {f"billing.{COMPANY}": f"delivery.{COMPANY}", f"delivery.{COMPANY}": f"billing.{COMPANY}"}
# What orders record of the check of a VAT id: nobody was asked whether it exists.
VAT_CHECKED = "format"
# The parts of an address, in the names of its fields.
PARTS = (
    *("country", "name", "company_name", "street_address", "city_area", "city"),
    *("country_area", "postal_code", "sorting_code"),
)
# What a price depends on.
_PARTS_OF_PLACE = ("country", "country_area", "postal_code")
# All names of buyer and addresses. No consent: it is given for each order anew.
NAMES = frozenset(
    {
        BUYER,
        OTHER_BILLING,
        VAT_ID,
        PURCHASE_ORDER,
        *(f"{group}.{part}" for group in ("billing", "delivery") for part in PARTS),
    }
)


@dataclass(frozen=True)
class CheckoutNeeds:
    """What the order needs to know. `home`: the country that is chosen before the learner chooses one.
    `has_regional_rates`, `has_postal_rates`: of one of `countries_of`, whether its tax differs by area or by postal
    code. `asks_consent`: it has something digital, and the shop asks private buyers in the Union for their consent to
    begin at once."""

    is_shipped: bool
    home: str
    has_regional_rates: HasRates
    asks_consent: bool = False
    has_postal_rates: HasRates = lambda _country: False


@dataclass(frozen=True)
class FormField:
    """`name`: its dotted path, by which errors are reported. `value`: what was typed; of a checkbox CHECKED or "".
    `follows`: the option that what else was typed leaves no choice but, while none is chosen. `options`, `lines`,
    `example`: as of AddressField."""

    name: str
    label: str
    kind: FieldKind
    value: str
    required: bool = False
    options: tuple[AddressOption, ...] = ()
    autocomplete: str = "off"
    lines: int = 1
    example: str = ""
    follows: str = ""


@dataclass(frozen=True)
class FormGroup:
    """The fields under one heading. `product_id`: of the line that a gift is about."""

    name: Group
    legend: str
    fields: tuple[FormField, ...]
    product_id: int | None = None


@dataclass(frozen=True)
class Addresses:
    """Checked addresses, each with its `country`. `delivery` None: nothing is shipped. `billing` has `vat_id` if a
    business gave one, and `vat_checked`: how far it was checked. `purchase_order`: of a business, "" for none."""

    is_business: bool
    billing: Mapping[str, str]
    delivery: Mapping[str, str] | None
    purchase_order: str = ""


@dataclass(frozen=True)
class CheckedForm:
    """`errors`: by name of the field. Of an address with an error, `addresses` has country, area and postal code alone,
    as far as they are right: what a price depends on. `warnings`: by name, of values that are taken all the same."""

    addresses: Addresses
    errors: Mapping[str, str]
    warnings: Mapping[str, str]


def is_business(values: Mapping[str, str]) -> bool:
    return values.get(BUYER) == "business"


def purchase_order_of(values: Mapping[str, str]) -> str:
    """What a business typed as its purchase order number, "" for nothing."""
    return " ".join(values.get(PURCHASE_ORDER, "").split()) if is_business(values) else ""


def refused_number(number: str) -> str:
    """Why a purchase order number is not taken, in words; "" for one that is."""
    if len(number) > MAX_PURCHASE_ORDER:
        return f"Shorten the purchase order number to {MAX_PURCHASE_ORDER} characters."
    return "" if number.isprintable() else "Remove the characters that cannot be printed."


def countries_of(values: Mapping[str, str], home: str) -> set[str]:
    """The countries that the form may ask about: those that were typed, right or wrong, and that of the shop."""
    return {home, *(country for group in ("billing", "delivery") if (country := values.get(f"{group}.country")))}


def groups(needs: CheckoutNeeds, values: Mapping[str, str]) -> tuple[FormGroup, ...]:
    """The form for what was typed so far: other answers need other fields. A group without fields is left out."""
    result = [FormGroup("buyer", "Who is buying", (_buyer(values),))]
    if needs.is_shipped:
        result.append(FormGroup("delivery", "Delivery address", _address("delivery", needs, values)))
    result.append(FormGroup("billing", "Billing", _billing(needs, values)))
    if asks_consent(needs, values):
        value = CHECKED if values.get(CONSENT) == CHECKED else ""
        box = FormField(CONSENT, CONSENT_LABEL, "checkbox", value, required=True)
        result.append(FormGroup("withdrawal", "Digital content", (box,)))
    return tuple(group for group in result if group.fields)


def asks_consent(needs: CheckoutNeeds, values: Mapping[str, str]) -> bool:
    """Whether the buyer is a private person in the Union who would lose the right of withdrawal."""
    is_in_union = _country_in_use("billing", needs, values) in EU_COUNTRIES
    return needs.asks_consent and is_in_union and not is_business(values)


def missing_area(needs: CheckoutNeeds, values: Mapping[str, str]) -> str:
    """The label of the field on which the tax depends, such as State, while it is empty; else ""."""
    group: Group = "delivery" if needs.is_shipped else "billing"
    names = {f"{group}.{part}" for part in _parts_for_tax(needs, _country(group, needs, values))}
    fields = [field for field in _form_fields(group, needs, values) if field.name in names]
    return next((field.label for field in fields if not (field.value or field.follows)), "")


def validate(needs: CheckoutNeeds, values: Mapping[str, str], check_vat_id: CheckVatId) -> Addresses:
    """The addresses of an order. Raises InvalidInput: errors by the names of the fields that `groups` has for these
    values."""
    checked = check(needs, values, check_vat_id)
    if checked.errors:
        raise InvalidInput(dict(checked.errors))
    return checked.addresses


def check(needs: CheckoutNeeds, values: Mapping[str, str], check_vat_id: CheckVatId) -> CheckedForm:
    """The addresses as far as they can be read from what was typed so far, and what is wrong or missing."""
    errors: dict[str, str] = {}
    warnings: dict[str, str] = {}
    delivery = _checked("delivery", needs, values, errors, warnings) if needs.is_shipped else None
    shared = {} if delivery is None or _has_own_address(needs, values) else delivery
    billing = {**shared, **_checked("billing", needs, values, errors, warnings)}
    vat_id = values.get(VAT_ID, "").strip()
    if is_business(values) and vat_id:
        try:
            billing["vat_id"] = check_vat_id(billing.get("country", ""), vat_id, needs.is_shipped)
            billing["vat_checked"] = VAT_CHECKED
        except InvalidInput as error:
            errors[VAT_ID] = next(iter(error.errors.values()))
    number = purchase_order_of(values)
    if refusal := refused_number(number):
        errors[PURCHASE_ORDER] = refusal
    if asks_consent(needs, values) and values.get(CONSENT) != CHECKED:
        errors[CONSENT] = NO_CONSENT
    return CheckedForm(Addresses(is_business(values), billing, delivery, number), errors, warnings)


def known_values(
    values: Mapping[str, str], is_other_name: Callable[[str], bool] = lambda _name: False
) -> dict[str, str]:
    """The values as a draft stores them. Raises InvalidInput for names that neither NAMES nor `is_other_name` has, and
    for values that no field can have."""
    errors = {
        name: "This is no field of the checkout." for name in values if not (name in NAMES or is_other_name(name))
    }
    errors |= {name: text for name, value in values.items() if name not in errors and (text := _unusable(value))}
    if errors:
        raise InvalidInput(dict(sorted(errors.items())))
    return dict(values)


def _unusable(value: str) -> str | None:
    if len(value) > MAX_VALUE_LENGTH:
        return f"Shorten this to {MAX_VALUE_LENGTH} characters."
    # A lone surrogate, which JSON may contain, is no text.
    is_text = "\x00" not in value and not any("\ud800" <= character <= "\udfff" for character in value)
    return None if is_text else "Remove the characters that cannot be read."


def _buyer(values: Mapping[str, str]) -> FormField:
    options = (AddressOption("private", "A private person"), AddressOption("business", "A business"))
    value = "business" if is_business(values) else "private"
    return FormField(BUYER, "I am buying as", "radio", value, required=True, options=options)


def _billing(needs: CheckoutNeeds, values: Mapping[str, str]) -> tuple[FormField, ...]:
    has_own = _has_own_address(needs, values)
    fields = _address("billing", needs, values) if has_own else _form_fields("billing", needs, values)
    if is_business(values):
        vat_id = FormField(VAT_ID, "VAT id, if you have one", "text", values.get(VAT_ID, ""))
        names = [field.name for field in fields]
        # Without a known country there is no field of the company yet; one address has it with the delivery.
        at = names.index(f"billing.{COMPANY}") + 1 if f"billing.{COMPANY}" in names else len(names)
        number = FormField(
            PURCHASE_ORDER, "Purchase order number, if you have one", "text", values.get(PURCHASE_ORDER, "")
        )
        fields = (*fields[:at], vat_id, number, *fields[at:])
    if not needs.is_shipped:
        return fields
    value = CHECKED if has_own else ""
    return (FormField(OTHER_BILLING, "The invoice goes to another address", "checkbox", value), *fields)


def _has_own_address(needs: CheckoutNeeds, values: Mapping[str, str]) -> bool:
    """Whether the billing address is not that of the delivery."""
    return not needs.is_shipped or values.get(OTHER_BILLING) == CHECKED


def _address(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> tuple[FormField, ...]:
    """The country first: the other fields follow from it."""
    chosen = _country(group, needs, values)
    country = FormField(
        f"{group}.country",
        "Country or region",
        "select",
        chosen,
        required=True,
        options=_country_options(),
        autocomplete=f"{_section(group)} country",
    )
    return (country, *_form_fields(group, needs, values))


@lru_cache(1)
def _country_options() -> tuple[AddressOption, ...]:
    return tuple(AddressOption(code, name) for code, name in countries().items())


def _form_fields(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> tuple[FormField, ...]:
    follows = _followed_area(group, needs, values)
    fields = (_form_field(group, field, values) for field in _needed(group, needs, values))
    return tuple(replace(field, follows=follows) if field.name == f"{group}.{AREA}" else field for field in fields)


def with_followed_areas(needs: CheckoutNeeds, values: Mapping[str, str]) -> dict[str, str]:
    """The values with the areas that were not chosen because they follow from a postal code."""
    groups: tuple[Group, ...] = ("delivery", "billing")
    areas = {f"{group}.{AREA}": _followed_area(group, needs, values) for group in groups}
    return {**values, **{name: area for name, area in areas.items() if area}}


def _followed_area(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> str:
    """The key of the area that follows from the postal code of the form; "" where one was chosen, or none follows."""
    names = {field.name for field in _needed(group, needs, values)}
    code = values.get(f"{group}.{CODE}", "")
    if not code or not {AREA, CODE} <= names or values.get(f"{group}.{AREA}", "").strip():
        return ""
    return areas_of_codes.area_of_code(_country_in_use(group, needs, values), code)


def _form_field(group: Group, field: AddressField, values: Mapping[str, str]) -> FormField:
    name = f"{group}.{field.name}"
    kind: FieldKind = "select" if field.options else "lines" if field.lines > 1 else "text"
    token = field.autocomplete if field.autocomplete == "off" else f"{_section(group)} {field.autocomplete}"
    about = (field.options, token, field.lines, field.example)
    return FormField(name, field.label, kind, _value(name, values), field.required, *about)


def _value(name: str, values: Mapping[str, str]) -> str:
    """What was typed. A company that was typed for one address is that of the other too, until something else is."""
    other = _OTHER_COMPANY.get(name) if is_business(values) else None
    return values.get(name, values.get(other, "") if other else "")


def _section(group: Group) -> str:
    return "shipping" if group == "delivery" else "billing"


def _country(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> str:
    """The chosen country, also an unknown one."""
    return values.get(f"{group}.country") or needs.home


def _country_in_use(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> str:
    is_same = group == "billing" and not _has_own_address(needs, values)
    return _country("delivery" if is_same else group, needs, values)


def _needed(group: Group, needs: CheckoutNeeds, values: Mapping[str, str]) -> tuple[AddressField, ...]:
    """The fields of an address, besides its country, that this order needs."""
    country = _country_in_use(group, needs, values)
    if country not in countries():
        return ()
    fields, has_own = address_fields.fields_of(country), _has_own_address(needs, values)
    if group == "delivery":
        # One address for goods and invoice has the company that the invoice needs.
        required = (COMPANY,) if is_business(values) and not has_own else ()
        return tuple(replace(field, required=field.required or field.name in required) for field in fields)
    if is_business(values):
        return tuple(_of_business(field) for field in fields) if has_own else ()
    if needs.is_shipped:
        return fields if has_own else ()
    names = {"name", *_parts_for_tax(needs, country)}
    return tuple(replace(field, required=True) for field in fields if field.name in names)


def _parts_for_tax(needs: CheckoutNeeds, country: str) -> tuple[str, ...]:
    """The parts of an address on which the tax in a country depends."""
    parts = ((AREA, needs.has_regional_rates), (CODE, needs.has_postal_rates))
    return tuple(part for part, differs_in in parts if differs_in(country))


def _of_business(field: AddressField) -> AddressField:
    """A business is named by its company; the name of a person is welcome."""
    return replace(field, required=field.name == COMPANY or (field.required and field.name != "name"))


def _checked(
    group: Group, needs: CheckoutNeeds, values: Mapping[str, str], errors: dict[str, str], warnings: dict[str, str]
) -> dict[str, str]:
    """The checked address of a group. What is wrong is added to `errors`, and then only its place is returned; what may
    be wrong is added to `warnings`."""
    country, is_same = _country_in_use(group, needs, values), not _has_own_address(needs, values)
    own = {part: _value(f"{group}.{part}", values) for part in PARTS}
    own[AREA] = own[AREA] or _followed_area(group, needs, values)
    checked = address_validation.check(country, own, _needed(group, needs, values))
    warnings.update({f"{group}.{part}": text for part, text in checked.warnings.items()})
    # An unknown country is an error of the delivery address alone.
    if not (group == "billing" and is_same and "country" in checked.errors):
        errors.update({f"{group}.{part}": text for part, text in checked.errors.items()})
    is_whole = not checked.errors
    return {part: value for part, value in checked.address.items() if is_whole or part in _PARTS_OF_PLACE}
