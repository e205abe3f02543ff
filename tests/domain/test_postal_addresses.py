"""Address forms by country: order, labels and needs of their fields, and what is said of a wrong address."""

import pytest

from domain import postal_addresses
from domain.errors import InvalidInput
from domain.postal_addresses import validation as address_validation
from domain.postal_addresses.areas_of_codes import area_of_code
from domain.postal_addresses.countries import UnknownCountry, countries
from domain.postal_addresses.fields import fields_of
from domain.postal_addresses.validation import DOUBT, validate

FORMS = {
    "US": "name! company_name street_address! city! postal_code!:ZIP code country_area!:State",
    "JP": "postal_code!:Postal code country_area!:Prefecture street_address! company_name name!",
    "IE": "name! company_name street_address! city_area:Townland city! country_area:County postal_code:Eircode",
    "GB": "name! company_name street_address! city!:Town or city postal_code!:Postal code",
    "DE": "name! company_name street_address! postal_code!:Postal code city!",
    "AE": "name! company_name street_address! country_area!:Emirate",
    "IN": "name! company_name street_address! city! postal_code!:PIN code country_area!:State",
    "HK": "country_area!:Area city:District street_address! company_name name!",
    "KW": "name! company_name street_address! postal_code:Postal code city!",
}
USUAL = {"name": "Full name", "company_name": "Company", "street_address": "Address", "city": "City"}


def described(country: str) -> str:
    fields = fields_of(country)
    names = [f"{field.name}{'!' if field.required else ''}" for field in fields]
    labels = ["" if USUAL.get(field.name) == field.label else f":{field.label}" for field in fields]
    return " ".join(name + label for name, label in zip(names, labels, strict=True))


# Postal codes by country, and the area that each leaves no choice but; "" for none.
CODES = {
    "US": {"78701": "TX", " 78701-1234 ": "TX", "94105": "CA", "06390": "", "7870": "", "": "", "K1A 0B1": ""},
    "CA": {"V8X 3X4": "BC", "v8x3x4": "BC", "K1A 0B1": "", "V8X": ""},
    "JP": {
        "154-0023": "東京都",
        "\uff11\uff15\uff14\uff0d\uff10\uff10\uff12\uff13": "東京都",
        "431-2102": "",
        "018-0000": "",
    },
    "AU": {"2600": "ACT", "2620": "", "3171": "VIC"},
    "IT": {"00144": "RM"},
    "ES": {"28039": "M"},
    # How codes of Metro Manila begin is not known, so that each may be one of it.
    "PH": {"6000": ""},
    "DE": {"10115": ""},
    "AE": {"1": ""},
}


@pytest.mark.parametrize(("country", "code"), [(country, code) for country, codes in CODES.items() for code in codes])
def test_an_area_follows_from_a_whole_postal_code_that_no_other_area_has(country, code):
    assert area_of_code(country, code) == CODES[country][code]


def test_the_postal_code_is_asked_for_before_the_area_wherever_one_can_follow_from_it():
    for country in countries():
        names = [field.name for field in fields_of(country)]
        if "country_area" in names and any(area_of_code(country, code) for code in shown_example(country)):
            assert names.index("postal_code") < names.index("country_area"), country
        postal_addresses.rules.rules_of.cache_clear()


def shown_example(country: str) -> list[str]:
    return [field.example for field in fields_of(country) if field.name == "postal_code"]


@pytest.mark.parametrize("country", FORMS)
def test_a_form_has_the_order_labels_and_needs_of_its_country(country):
    assert described(country) == FORMS[country]


def test_every_country_has_a_form_whose_examples_are_valid_in_it():
    assert len(countries()) == 252
    for country in countries():
        fields = {field.name: field for field in fields_of(country)}
        assert fields["name"].required
        assert {field.autocomplete for field in fields.values()} != {""}
        code = fields.get("postal_code")
        if code is not None and code.example:
            for typed in (code.example, f" {code.example.lower()} "):
                assert validate(country, {"postal_code": typed}, [code])["postal_code"] in examples(country)
        postal_addresses.rules.rules_of.cache_clear()


def examples(country: str) -> set[str]:
    """The postal codes that the package shows, and one with the space that Swedes leave."""
    return {*postal_addresses.rules.rules_of(country).examples, "114 55"}


def test_areas_are_chosen_by_a_name_that_most_can_read_and_stored_by_their_key():
    options = {country: {option.label: option.value for option in areas(country)} for country in ("JP", "CA", "HK")}
    assert options["JP"]["Hokkaido"] == "北海道"
    assert options["CA"]["Quebec"] == "QC"
    assert options["HK"]["Kowloon"] == "Kowloon"
    assert len(options["JP"]) == 47
    assert [option.label for option in areas("CA")][:2] == ["Alberta", "British Columbia"]


def areas(country: str):
    return next(field.options for field in fields_of(country) if field.name == "country_area")


def test_countries_are_listed_by_their_names():
    names = list(countries().values())
    assert names[:3] == ["Afghanistan", "Åland Islands", "Albania"]
    assert names[-1] == "Zimbabwe"


US = {
    "name": " Ada  Lovelace ",
    "street_address": "1 Main St\r\n\r\nApt 2",
    "city": "Santa Clara",
    "country_area": "CA",
}


def wide(text: str) -> str:
    """As a Japanese keyboard types it."""
    return "".join(chr(ord(character) + 0xFEE0) for character in text)


VALID = {
    "a ZIP code": (
        "US",
        {**US, "postal_code": "95014"},
        {"postal_code": "95014", "street_address": "1 Main St\nApt 2"},
    ),
    "an area by its name": ("US", {**US, "country_area": "california", "postal_code": "95014"}, {"country_area": "CA"}),
    "a small letter": ("GB", {**US, "postal_code": "ec1y 8sy"}, {"postal_code": "EC1Y 8SY"}),
    "wide digits": ("DE", {**US, "postal_code": wide("26133")}, {"postal_code": "26133"}),
    "a prefecture in letters": (
        "JP",
        {**US, "country_area": "tokyo", "postal_code": wide("154-0023")},
        {"country_area": "東京都", "postal_code": "154-0023"},
    ),
    "nothing that is not asked for": (
        "AE",
        {**US, "country_area": "Dubai", "postal_code": "1"},
        {"name": "Ada Lovelace"},
    ),
    "no Eircode": ("IE", {**US, "country_area": "Co. Cork"}, {"country": "IE"}),
    "a city that no list has": (
        "BR",
        {**US, "country_area": "SP", "city": "Vila", "postal_code": "01310-100"},
        {"city": "Vila"},
    ),
}


@pytest.mark.parametrize(("country", "values", "expected"), VALID.values(), ids=VALID)
def test_a_valid_address_is_cleaned(country, values, expected):
    address = validate(country, values, fields_of(country))
    assert {name: address[name] for name in expected} == expected
    assert set(address) <= {"country", *(field.name for field in fields_of(country))}


WRONG = {
    "nothing": (
        "US",
        {},
        {
            "name": "Enter your full name.",
            "street_address": "Enter your address.",
            "city": "Enter your city.",
            "country_area": "Choose your state.",
            "postal_code": "Enter your ZIP code.",
        },
    ),
    "another form of code": (
        "US",
        {**US, "postal_code": "9501"},
        {"postal_code": "Enter a ZIP code in the form 95014."},
    ),
    "an Eircode": (
        "IE",
        {**US, "country_area": "", "postal_code": "1"},
        {"postal_code": "Enter an Eircode in the form A65 F4E2."},
    ),
    "no area of the country": (
        "JP",
        {**US, "country_area": "California", "postal_code": "154-0023"},
        {"country_area": "Choose one of the list as your prefecture."},
    ),
    "too long": ("DE", {**US, "city": "x" * 201, "postal_code": "26133"}, {"city": "Shorten this to 200 characters."}),
    "too many lines": (
        "DE",
        {**US, "street_address": "a\nb\nc\nd\ne", "postal_code": "26133"},
        {"street_address": "Use at most 4 lines."},
    ),
    "no country": ("", {}, {"country": "Choose a country."}),
    "a file of the package that is no country": ("all", {}, {"country": "Choose a country."}),
}


@pytest.mark.parametrize(("country", "values", "errors"), WRONG.values(), ids=WRONG)
def test_a_wrong_address_has_a_sentence_for_each_field(country, values, errors):
    fields = fields_of(country) if country in countries() else ()
    with pytest.raises(InvalidInput) as refusal:
        validate(country, values, fields)
    assert refusal.value.errors == errors


NOT_IN = "Our list does not have this {} in {}. Correct one of the two, or go on if both are right."
ZEROS = "We read this {} as {}. Correct it if that is wrong."
# name -> (country, area, postal code as typed, as stored, what is said of it)
WARNED = {
    "another state's code": ("US", "CA", "10001", "10001", NOT_IN.format("ZIP code", "California")),
    "Yanam, which belongs to Puducherry": (
        "IN",
        "Puducherry",
        "533 464",
        "533464",
        NOT_IN.format("PIN code", "Puducherry"),
    ),
    "a town in Uruguay": ("UY", "Florida", "34200", "34200", NOT_IN.format("postal code", "Florida")),
    "a town in Kalinga": ("PH", "Kalinga", "3800", "3800", NOT_IN.format("postal code", "Kalinga")),
    "a zero that a spreadsheet took": ("DE", "", "1067", "01067", ZEROS.format("postal code", "01067")),
    "a zero of the right state": ("US", "MA", "2139", "02139", ZEROS.format("ZIP code", "02139")),
}


@pytest.mark.parametrize(("country", "area", "typed", "stored", "warning"), WARNED.values(), ids=WARNED)
def test_what_may_be_wrong_is_taken_and_said_and_kept_with_the_address(country, area, typed, stored, warning):
    values = {**US, "country_area": area, "postal_code": typed}
    checked = address_validation.check(country, values, fields_of(country))
    assert (checked.errors, checked.warnings) == ({}, {"postal_code": warning})
    assert (checked.address["postal_code"], checked.address[DOUBT]) == (stored, warning)


@pytest.mark.parametrize(
    ("country", "area", "key"),
    [
        ("ID", "Papua Selatan", "Papua Selatan"),
        ("ID", "South Papua", "Papua Selatan"),
        ("PH", "Davao de Oro", "Compostela Valley"),
        ("PH", "Maguindanao del Sur", "Maguindanao del Sur"),
        ("KR", "강원특별자치도", "강원도"),
    ],
)
def test_areas_and_names_that_the_package_lacks_are_known(country, area, key):
    address = validate(country, {"country_area": area}, [f for f in fields_of(country) if f.name == "country_area"])
    assert address["country_area"] == key


@pytest.mark.parametrize("country", ["", "us", "ZZ", "XX", "ALL", "../US"])
def test_an_unknown_country_has_no_form(country):
    with pytest.raises(UnknownCountry):
        fields_of(country)
