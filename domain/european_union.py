"""The countries of the European Union, which share VAT and rights of consumers."""

_COUNTRIES = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
EU_COUNTRIES = frozenset(_COUNTRIES.split())
