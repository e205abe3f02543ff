"""Converts a row to a shop item."""

from domain.catalogue_import import generated_texts
from domain.catalogue_import.shared_fields import (
    ALWAYS_READ,
    ImportedRow,
    optional_fields,
    preserved_fields,
    shared_fields,
)
from domain.catalogue_import.states import has_state, state
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.variants import form_of
from domain.catalogue_import.words import FORMS
from domain.publishing import fulfilment, slugs
from domain.publishing.records import ItemRecord
from domain.tax import context as tax_context

ITEM_KINDS = {
    **dict.fromkeys(("book", "books"), "book"),
    **dict.fromkeys(("voucher", "exam voucher"), "voucher"),
    **dict.fromkeys(("bundle", "course bundle"), "bundle"),
    **dict.fromkeys(("physical", "article"), "physical"),
}
FULFILMENTS: dict[str, str] = {word: word for word in fulfilment.FULFILMENTS}
# Delivery is charged by an order, not by an item.
TAX_CLASSES: dict[str, str] = {word: word for word in tax_context.TAX_CLASSES if word != "delivery"}
# No import contains the first group, and the last only when the file has the column: else stored values stay.
_NEVER_IN_IMPORTS = frozenset({"featured", "enrolled", "images", "sale_from", "sale_until", "successor_id"})
_SOMETIMES_IN_IMPORTS = optional_fields("items", ItemRecord, ALWAYS_READ)
_IN_STOCK = {"instock": True, "in stock": True, "onbackorder": True, "outofstock": False, "out of stock": False}


def item(values: RowValues) -> ImportedRow:
    """Raises BadRow. Without a stock number the source's id or the slug is used; an empty stock is unlimited."""
    form = form_of(values)
    has_variations = form in {"variable", "grouped"}
    shared = shared_fields(values, may_lack_price=has_variations)
    fields = shared.fields
    item_kind = _item_kind(values)
    status = state(values, form)
    if has_variations and not fields["list_price"]:
        status = "draft"
    record = ItemRecord(
        **fields,
        subtitle=(values.maybe(values.text, "subtitle", 500) or "")
        or generated_texts.item_subtitle(fields["name"], item_kind, shared.category_name),
        description=values.maybe(values.markdown, "description") or "",
        sku=values.text("sku", slugs.MAX_LENGTH) or fields["source_id"] or fields["slug"],
        item_kind=item_kind,
        stock=_stock(values),
        delivery=values.maybe(values.text, "delivery", 500) or "",
        fulfilment=values.maybe(values.choice, "fulfilment", FULFILMENTS) or _fulfilment_of_form(values),
        weight_g=_weight_g(values),
        tax_class=values.maybe(values.choice, "tax_class", TAX_CLASSES),
        status=status or "published",
        preserved_fields=_preserved_fields(values),
    )
    return shared.imported(record, values)


def _item_kind(values: RowValues) -> str:
    if values.word("item_kind").casefold() in FORMS:
        # The word is from another shop's export, in a column that has the name of ours.
        values.leave_out("item_kind")
        return "physical"
    return values.maybe(values.choice, "item_kind", ITEM_KINDS) or "physical"


def _stock(values: RowValues) -> int | None:
    """Without a number, what is sold out has none left."""
    stock = values.maybe(values.count, "stock")
    if stock is not None or not values.has("in_stock"):
        return stock
    text = values.text("in_stock").casefold()
    in_stock = _IN_STOCK[text] if text in _IN_STOCK else values.maybe(values.flag, "in_stock")
    return 0 if in_stock is False else None


def _weight_g(values: RowValues) -> int:
    if values.has("weight_kg"):
        kilograms = values.maybe(values.number, "weight_kg", 100_000)
        return round((kilograms or 0) * 1000)
    grams = values.maybe(values.number, "weight_g", 100_000_000)
    return round(grams or 0)


def _fulfilment_of_form(values: RowValues) -> str | None:
    """What another shop calls downloadable is sent to nobody."""
    return "download" if "downloadable" in values.text("form").casefold() else None


def _preserved_fields(values: RowValues) -> frozenset[str]:
    names = set(preserved_fields(values, _NEVER_IN_IMPORTS, _SOMETIMES_IN_IMPORTS))
    if has_state(values):
        names.discard("status")
    if values.has("weight_kg"):
        names.discard("weight_g")
    if values.has("in_stock"):
        names.discard("stock")
    return frozenset(names)
