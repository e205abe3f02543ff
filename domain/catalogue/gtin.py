"""The number by which the whole trade knows a product: a GTIN, of which an ISBN is one."""

from stdnum import ean, isbn
from stdnum.exceptions import ValidationError

# Numbers that begin so are given out within one company (GS1 general specifications).
_INTERNAL = ("2", "02", "04")
_LENGTHS = (12, 13)


def gtin_of(sku: str, item_kind: str | None) -> str:
    """The GTIN of a shop item in digits, "" without one: shops keep the ISBN of a book, or the number below its bar
    code, as its stock number. What is neither a book nor goods has none, whatever its number looks like."""
    if item_kind == "book":
        return isbn_of(sku)
    number = sku.replace(" ", "").replace("-", "")
    if item_kind != "physical" or len(number) not in _LENGTHS or number.startswith(_INTERNAL):
        return ""
    return number if ean.is_valid(number) else ""


def isbn_of(sku: str) -> str:
    """The ISBN with 13 digits, "" for what is none."""
    try:
        return str(isbn.to_isbn13(isbn.validate(sku)).replace("-", "").replace(" ", ""))
    except ValidationError:
        return ""
