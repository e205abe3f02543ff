"""Converts a row to a shop item."""

from domain.catalogue_import import generated_texts
from domain.catalogue_import.shared_fields import STATUSES, ImportedRow, doubt, preserved_fields, shared_fields
from domain.catalogue_import.values import RowValues
from domain.publishing import ItemRecord, fulfilment, slugs
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
# No import contains the first group, and the second only when the file has the column: else stored values stay.
_NEVER_IN_IMPORTS = frozenset({"featured", "enrolled", "images", "sale_from", "sale_until", "successor_id"})
_SOMETIMES_IN_IMPORTS = (
    "subtitle",
    "description",
    "sale_price",
    "status",
    "sku",
    "item_kind",
    "stock",
    "delivery",
    "fulfilment",
    "weight_g",
    "tax_class",
)


def item(values: RowValues) -> ImportedRow:
    """Raises BadRow. Without a stock number the source's id or the slug is used; an empty stock is unlimited."""
    fields, category_name = shared_fields(values)
    item_kind = values.choice("item_kind", ITEM_KINDS) or "physical"
    record = ItemRecord(
        **fields,
        subtitle=values.text("subtitle", 500)
        or generated_texts.item_subtitle(fields["name"], item_kind, category_name),
        description=values.long_text("description"),
        sku=values.text("sku", slugs.MAX_LENGTH) or fields["source_id"] or fields["slug"],
        item_kind=item_kind,
        stock=values.count("stock"),
        delivery=values.text("delivery", 500),
        fulfilment=values.choice("fulfilment", FULFILMENTS),
        weight_g=values.count("weight_g") or 0,
        tax_class=values.choice("tax_class", TAX_CLASSES),
        status=values.choice("status", STATUSES) or "published",
        preserved_fields=preserved_fields(values, _NEVER_IN_IMPORTS, _SOMETIMES_IN_IMPORTS),
    )
    return ImportedRow(record, category_name, doubt(values))
