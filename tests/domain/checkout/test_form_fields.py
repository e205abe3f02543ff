"""Which fields the checkout asks for, and what it says of them."""

from dataclasses import replace

import pytest

from domain.checkout import form_fields
from domain.checkout.form_fields import CONSENT, PURCHASE_ORDER, CheckoutNeeds, check, groups, known_values, validate
from domain.errors import InvalidInput


def needs(*, is_shipped: bool = False, asks_consent: bool = False) -> CheckoutNeeds:
    return CheckoutNeeds(is_shipped, "US", lambda country: country in ("US", "CA"), asks_consent)


BUSINESS = {"buyer": "business"}
OTHER = {"billing.other": "yes"}
IN_GERMANY = {"billing.country": "DE"}
FORMS = {
    "private, digital, tax by state": (False, {}, "buyer! | billing: country! name! country_area!"),
    "private, digital, one rate": (False, IN_GERMANY, "buyer! | billing: country! name!"),
    "business, digital": (
        False,
        {**BUSINESS, **IN_GERMANY},
        "buyer! | billing: country! name company_name! vat_id purchase_order street_address! postal_code! city!",
    ),
    "private, shipped": (
        True,
        {},
        "buyer! | delivery: country! name! company_name street_address! city! postal_code! country_area!"
        " | billing: other",
    ),
    "private, shipped, another address": (
        True,
        {**OTHER, **IN_GERMANY, "delivery.country": "IE"},
        "buyer! | delivery: country! name! company_name street_address! city_area city! country_area postal_code"
        " | billing: other country! name! company_name street_address! postal_code! city!",
    ),
    "business, shipped": (
        True,
        {**BUSINESS, "delivery.country": "DE"},
        "buyer! | delivery: country! name! company_name! street_address! postal_code! city! "
        "| billing: other vat_id purchase_order",
    ),
    "business, shipped, another address": (
        True,
        {**BUSINESS, **OTHER, **IN_GERMANY, "delivery.country": "DE"},
        "buyer! | delivery: country! name! company_name street_address! postal_code! city!"
        " | billing: other country! name company_name! vat_id purchase_order street_address! postal_code! city!",
    ),
    "an unknown country": (False, {"billing.country": "ZZ"}, "buyer! | billing: country!"),
}


@pytest.mark.parametrize(("is_shipped", "values", "expected"), FORMS.values(), ids=FORMS)
def test_only_what_the_order_needs_is_asked_for(is_shipped, values, expected):
    described = []
    for group in groups(needs(is_shipped=is_shipped), values):
        names = [field.name.partition(".")[2] or field.name for field in group.fields]
        marked = [name + "!" * field.required for name, field in zip(names, group.fields, strict=True)]
        described.append(" ".join(marked if group.name == "buyer" else [f"{group.name}:", *marked]))
    assert " | ".join(described) == expected


CONSENTS = {
    "a private person in the Union": (False, IN_GERMANY, True),
    "a business in the Union": (False, {**BUSINESS, **IN_GERMANY}, False),
    "a private person elsewhere": (False, {}, False),
    "goods to the Union, the invoice elsewhere": (True, {"delivery.country": "DE", **OTHER}, False),
    "goods and invoice to the Union": (True, {"delivery.country": "DE"}, True),
}


@pytest.mark.parametrize("case", CONSENTS)
def test_private_buyers_in_the_union_consent_to_begin_at_once(case):
    is_shipped, values, is_asked = CONSENTS[case]
    own = needs(is_shipped=is_shipped, asks_consent=True)
    boxes = [field.name for group in groups(own, values) for field in group.fields if group.name == "withdrawal"]
    assert boxes == ([form_fields.CONSENT] if is_asked else [])

    def error(**typed: str) -> str | None:
        return form_fields.check(own, {**values, **typed}, compact).errors.get(CONSENT)

    assert error() == (form_fields.NO_CONSENT if is_asked else None)
    assert error(**{CONSENT: "yes"}) is None
    assert "withdrawal" not in {group.name for group in groups(needs(is_shipped=is_shipped), values)}


def test_every_field_of_every_form_has_a_known_name_and_a_token():
    for is_shipped, values, _ in FORMS.values():
        fields = [field for group in groups(needs(is_shipped=is_shipped), values) for field in group.fields]
        assert {field.name for field in fields} <= form_fields.NAMES
        tokens = [field.autocomplete for field in fields if field.autocomplete != "off"]
        assert len(set(tokens)) == len(tokens)
        assert {token.split()[0] for token in tokens} <= {"billing", "shipping"}


@pytest.mark.parametrize(
    ("is_shipped", "values", "label"),
    [
        (False, {}, "State"),
        (True, {}, "State"),
        (True, {"delivery.country": "CA"}, "Province"),
        (True, {"delivery.country_area": "TX"}, ""),
        (False, {"billing.country": "DE"}, ""),
        (False, {"billing.country": "ZZ"}, ""),
    ],
)
def test_while_no_area_is_chosen_the_tax_of_a_country_with_regional_rates_is_not_known(is_shipped, values, label):
    assert form_fields.missing_area(needs(is_shipped=is_shipped), values) == label


def test_where_tax_differs_by_postal_code_private_buyers_of_digital_goods_are_asked_for_it():
    values, own = {"billing.country": "PT"}, replace(needs(), has_postal_rates="PT".__eq__)
    (_, billing) = groups(own, values)
    assert [(field.name, field.required) for field in billing.fields][1:] == [
        ("billing.name", True),
        ("billing.postal_code", True),
    ]
    assert form_fields.missing_area(own, values) == "Postal code"
    assert form_fields.missing_area(own, {**values, "billing.postal_code": "9000-001"}) == ""


def test_an_invoice_to_another_address_has_nothing_of_the_delivery():
    delivery = {"delivery.country": "US", "delivery.country_area": "CA", "delivery.name": "Ada"}
    billing = {"billing.country": "DE", "billing.name": "Bo", "billing.street_address": "Weg 1", "billing.city": "Ulm"}
    values = {**delivery, **billing, "billing.postal_code": "D-89073", form_fields.OTHER_BILLING: "yes"}
    checked = form_fields.check(needs(is_shipped=True), values, compact)
    assert checked.addresses.billing == {
        "country": "DE",
        "name": "Bo",
        "street_address": "Weg 1",
        "city": "Ulm",
        "postal_code": "89073",
    }


def test_a_field_shows_what_was_typed():
    fields = groups(needs(), {"billing.name": "Ada", "billing.country_area": "CA"})[1].fields
    assert [field.value for field in fields] == ["US", "Ada", "CA"]


def test_a_company_is_typed_once_and_then_shown_for_the_other_address_too():
    values = {**AT_HOME, **BUSINESS, **OTHER, **IN_GERMANY, "delivery.company_name": "Ada GmbH"}
    assert company_of(values) == {"delivery": "Ada GmbH", "billing": "Ada GmbH"}
    # What is typed there, also nothing, counts.
    assert company_of({**values, "billing.company_name": ""}) == {"delivery": "Ada GmbH", "billing": ""}


def company_of(values) -> dict[str, str]:
    fields = [field for group in groups(needs(is_shipped=True), values) for field in group.fields]
    return {field.name.partition(".")[0]: field.value for field in fields if field.name.endswith(".company_name")}


ADA = {"billing.name": "Ada", "billing.country_area": "CA"}
AT_HOME = {
    "delivery.name": "Ada",
    "delivery.street_address": "1 Main St",
    "delivery.city": "Berlin",
    "delivery.postal_code": "10115",
    "delivery.country": "DE",
}
DELIVERY = {name.removeprefix("delivery."): value for name, value in AT_HOME.items()}
VALID = {
    "private and digital": (False, ADA, {"country": "US", "name": "Ada", "country_area": "CA"}, None),
    "what is not asked for is left out": (
        False,
        {**ADA, **IN_GERMANY, "billing.street_address": "1 Main St", "billing.company_name": "Ada Ltd"},
        {"country": "DE", "name": "Ada"},
        None,
    ),
    "the same address twice": (True, AT_HOME, DELIVERY, DELIVERY),
    "a business": (
        True,
        {**AT_HOME, **BUSINESS, "delivery.company_name": "Ada GmbH", "billing.vat_id": " de 136695976 "},
        {**DELIVERY, "company_name": "Ada GmbH", "vat_id": "DE DE136695976", "vat_checked": "format"},
        {**DELIVERY, "company_name": "Ada GmbH"},
    ),
    "a company that was typed for the invoice before": (
        True,
        {**AT_HOME, **BUSINESS, "billing.company_name": "Ada GmbH"},
        {**DELIVERY, "company_name": "Ada GmbH"},
        {**DELIVERY, "company_name": "Ada GmbH"},
    ),
}


def compact(country: str, vat_id: str, _has_goods: bool) -> str:
    if "?" in vat_id:
        raise InvalidInput({"vat_id": "Enter a VAT id of Germany."})
    return f"{country} {vat_id.replace(' ', '').upper()}"


@pytest.mark.parametrize(("is_shipped", "values", "billing", "delivery"), VALID.values(), ids=VALID)
def test_valid_addresses(is_shipped, values, billing, delivery):
    addresses = validate(needs(is_shipped=is_shipped), values, compact)
    assert (addresses.billing, addresses.delivery) == (billing, delivery)


@pytest.mark.parametrize(
    ("buyer", "typed", "number"),
    [
        ("business", "  PO 4711 / b ", "PO 4711 / b"),
        ("business", "x" * 50, "x" * 50),
        ("business", "   ", ""),
        ("private", "PO 4711", ""),
    ],
)
def test_a_purchase_order_number_is_that_of_a_business(buyer, typed, number):
    values = {**ADA, **BUSINESS, "buyer": buyer, PURCHASE_ORDER: typed}
    checked = check(needs(is_shipped=False), values, compact)
    assert (checked.addresses.purchase_order, PURCHASE_ORDER in checked.errors) == (number, False)


WRONG = {
    "nothing": (False, {}, {"billing.name": "Enter your full name.", "billing.country_area": "Choose your state."}),
    "no country": (False, {"billing.country": "ZZ"}, {"billing.country": "Choose a country."}),
    "no country of the delivery": (True, {"delivery.country": "ZZ"}, {"delivery.country": "Choose a country."}),
    "a company's errors": (
        True,
        {**AT_HOME, **BUSINESS, "billing.vat_id": "?"},
        {"delivery.company_name": "Enter your company.", "billing.vat_id": "Enter a VAT id of Germany."},
    ),
}

for _number, _text in (
    ("x" * 51, "Shorten the purchase order number to 50 characters."),
    ("PO\x07", "Remove the characters that cannot be printed."),
):
    WRONG[_text] = (
        True,
        {**AT_HOME, **BUSINESS, "delivery.company_name": "A", PURCHASE_ORDER: _number},
        {PURCHASE_ORDER: _text},
    )


@pytest.mark.parametrize(("is_shipped", "values", "errors"), WRONG.values(), ids=WRONG)
def test_errors_are_by_field_of_the_form_that_is_shown(is_shipped, values, errors):
    with pytest.raises(InvalidInput) as refusal:
        validate(needs(is_shipped=is_shipped), values, compact)
    assert refusal.value.errors == errors
    shown = {field.name for group in groups(needs(is_shipped=is_shipped), values) for field in group.fields}
    assert set(errors) <= shown


def test_a_draft_takes_fields_of_the_form_alone():
    assert known_values(ADA) == ADA
    with pytest.raises(InvalidInput) as refusal:
        known_values({**ADA, "billing.price": "1"})
    assert list(refusal.value.errors) == ["billing.price"]


IN_TEXAS = {"delivery.name": "Ada", "delivery.street_address": "1 Main St", "delivery.city": "Austin"}
# What was chosen and typed of area and postal code: the area that the order has, and the one that the form shows as
# following from the code.
FOLLOWED = {
    "a code decides": ({"delivery.postal_code": "78701"}, "TX", "TX"),
    "an empty choice": ({"delivery.postal_code": "78701", "delivery.country_area": ""}, "TX", "TX"),
    "a choice stays": ({"delivery.postal_code": "78701", "delivery.country_area": "TX"}, "TX", ""),
    "another code": ({"delivery.postal_code": "94105-1234"}, "CA", "CA"),
}


@pytest.mark.parametrize(("values", "area", "shown"), FOLLOWED.values(), ids=FOLLOWED)
def test_an_area_follows_from_the_postal_code_until_one_is_chosen(values, area, shown):
    typed = {**IN_TEXAS, **values}
    addresses = validate(needs(is_shipped=True), typed, refuse_vat_id)
    assert (addresses.delivery or {})["country_area"] == area
    assert follows(typed) == {"delivery.country_area": shown}
    assert form_fields.missing_area(needs(is_shipped=True), typed) == ""
    assert form_fields.with_followed_areas(needs(is_shipped=True), typed)["delivery.country_area"] == area


REFUSED = {
    "a code of two states": ({"delivery.postal_code": "06390"}, {"delivery.country_area": "Choose your state."}),
    "half a code": (
        {"delivery.postal_code": "78"},
        {
            "delivery.country_area": "Choose your state.",
            "delivery.postal_code": "Enter a ZIP code in the form 95014.",
        },
    ),
}


@pytest.mark.parametrize(("values", "errors"), REFUSED.values(), ids=REFUSED)
def test_no_area_is_guessed(values, errors):
    with pytest.raises(InvalidInput) as refused:
        validate(needs(is_shipped=True), {**IN_TEXAS, **values}, refuse_vat_id)
    assert refused.value.errors == errors
    assert follows({**IN_TEXAS, **values}) == {"delivery.country_area": ""}


def test_an_area_that_was_chosen_is_not_replaced():
    typed = {**IN_TEXAS, "delivery.postal_code": "78701", "delivery.country_area": "NY"}
    delivery = validate(needs(is_shipped=True), typed, refuse_vat_id).delivery
    assert delivery is not None
    assert (delivery["country_area"], delivery["doubt"]) == (
        "NY",
        "Our list does not have this ZIP code in New York. Correct one of the two, or go on if both are right.",
    )
    assert follows(typed) == {"delivery.country_area": ""}


def test_a_form_that_asks_for_no_postal_code_takes_none_from_another_form():
    typed = {"billing.name": "Ada", "billing.postal_code": "78701"}
    assert form_fields.missing_area(needs(), typed) == "State"


def follows(values):
    return {
        field.name: field.follows
        for group in groups(needs(is_shipped=True), values)
        for field in group.fields
        if field.name.endswith(".country_area")
    }


def refuse_vat_id(_country: str, _vat_id: str) -> str:
    raise InvalidInput({"vat_id": "none"})
