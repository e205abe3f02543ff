"""One row as a shop item."""

from domain.imports import composing
from domain.imports.entries import STATUSES, Entry, doubt_about, kept, shared
from domain.imports.fields import Values
from domain.publishing import ItemRecord, slugs

ITEM_KINDS = {
    **dict.fromkeys(("book", "books"), "book"),
    **dict.fromkeys(("voucher", "exam voucher"), "voucher"),
    **dict.fromkeys(("bundle", "course bundle"), "bundle"),
    **dict.fromkeys(("physical", "article"), "physical"),
}
# No column of a file speaks of these, and of the others only when it is there.
_NEVER_SAID = frozenset({"featured", "enrolled", "images", "sale_from", "sale_until", "successor_id"})
_SOMETIMES_SAID = ("subtitle", "description", "sale_price", "status", "sku", "item_kind", "stock", "delivery")


def item(values: Values) -> Entry:
    """Raises BadRow. Without a stock number of its own an item's slug serves; an empty stock is unlimited."""
    fields, category_name = shared(values)
    item_kind = values.choice("item_kind", ITEM_KINDS) or "physical"
    record = ItemRecord(
        **fields,
        subtitle=values.text("subtitle", 500) or composing.item_subtitle(fields["name"], item_kind, category_name),
        description=values.long_text("description"),
        sku=values.text("sku", slugs.LONGEST) or fields["source_id"] or fields["slug"],
        item_kind=item_kind,
        stock=values.count("stock"),
        delivery=values.text("delivery", 500),
        status=values.choice("status", STATUSES) or "published",
        keep=kept(values, _NEVER_SAID, _SOMETIMES_SAID),
    )
    return Entry(record, category_name, doubt_about(values))
