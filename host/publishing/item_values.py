"""A shop item by the names of its calls."""

from typing_extensions import TypedDict

from domain.publishing.editing.item_texts import ItemDelivery, ItemTexts


class ItemTextFields(TypedDict):
    name: str
    subtitle: str
    description: str
    category: str


class ItemDeliveryFields(TypedDict):
    """`stock` None: as many as people want. `weightG`: in grams; 0: not known."""

    itemKind: str
    sku: str
    stock: int | None
    fulfilment: str
    delivery: str
    weightG: int
    taxClass: str


def text_values(texts: ItemTexts) -> ItemTextFields:
    return {
        "name": texts.name,
        "subtitle": texts.subtitle,
        "description": texts.description,
        "category": texts.category,
    }


def delivery_values(wanted: ItemDelivery) -> ItemDeliveryFields:
    return {
        "itemKind": wanted.item_kind,
        "sku": wanted.sku,
        "stock": wanted.stock,
        "fulfilment": wanted.fulfilment,
        "delivery": wanted.delivery,
        "weightG": wanted.weight_g,
        "taxClass": wanted.tax_class,
    }
