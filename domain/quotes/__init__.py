"""Quotes for organisations: seats at frozen prices until a day, which become an order when they are accepted."""
