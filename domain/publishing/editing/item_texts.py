"""What a person writes about a shop item: its texts, and how many there are and how it reaches its buyer."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.errors import InvalidInput, Refused
from domain.permissions import Actor
from domain.publishing import publish_rules, slugs
from domain.publishing.categories import category_ids
from domain.publishing.editing.course_texts import shortened
from domain.publishing.editing.publication import is_taken
from domain.publishing.editing.stored_course import Edit
from domain.publishing.editing.stored_item import StoredItem
from domain.publishing.editing.stored_product import locked_product, put_product
from domain.publishing.fulfilment import FULFILMENTS
from domain.publishing.records import ItemRecord, Json
from domain.publishing.writer import put_item
from domain.tax.context import TAX_CLASSES

ITEM_KINDS = {"book": "Book", "voucher": "Exam voucher", "bundle": "Bundle of courses", "physical": "Material"}
MAX_STOCK, MAX_WEIGHT_G = 1_000_000, 100_000


@dataclass(frozen=True)
class ItemTexts:
    name: str
    subtitle: str
    description: str
    category: str


@dataclass(frozen=True)
class ItemDelivery:
    """`stock` None: as many as people want. `weight_g`: of one with its packing; 0: not known."""

    item_kind: str
    sku: str
    stock: int | None
    fulfilment: str
    delivery: str
    weight_g: int
    tax_class: str


@dataclass(frozen=True)
class NewItem:
    name: str
    category: str
    item_kind: str
    sku: str


def texts_of(record: ItemRecord) -> ItemTexts:
    return ItemTexts(record.name, record.subtitle, record.description, record.category)


def delivery_of(record: ItemRecord) -> ItemDelivery:
    names = ("item_kind", "sku", "stock", "fulfilment", "delivery", "weight_g", "tax_class")
    return ItemDelivery(**{name: getattr(record, name) for name in names})


def create_item(session: Session, actor: Actor, new: NewItem) -> int:
    """A new draft without a price; returns its id. Raises InvalidInput for what is missing or taken, NotFound for an
    unknown category."""
    name, slug = " ".join(new.name.split()), slugs.slug_from(new.name)
    category_ids(session, {new.category})
    errors = {
        "name": "" if slug else "Enter a name with letters or digits.",
        "sku": "" if new.sku.strip() else "Enter a stock number.",
        "itemKind": "" if new.item_kind in ITEM_KINDS else "Choose a kind.",
    }
    if slug and is_taken(session, slug, "item"):
        errors["name"] = f"Another item has or had the address {slug}. Choose another name."
    _refuse(errors)
    record = ItemRecord(slug=slug, name=name, category=new.category, list_price=publish_rules.FREE, sku=new.sku.strip())
    record = replace(record, item_kind=new.item_kind, status="draft", updated_at=actor.at)
    item_id = _put_new(session, record, actor)
    recording.record(session, "item.create", Subject("item", item_id), after={"name": name, "slug": slug})
    return item_id


def change_item_texts(session: Session, edit: Edit, texts: ItemTexts) -> int:
    """Store the texts and return the new version. Raises NotFound, NewerVersion and InvalidInput."""
    stored = _locked(session, edit)
    category_ids(session, {texts.category})
    _refuse({"name": "" if texts.name.strip() else "Enter a name."})
    record = replace(
        stored.record,
        name=" ".join(texts.name.split()),
        subtitle=" ".join(texts.subtitle.split()),
        description=texts.description.strip(),
        category=texts.category,
    )
    return _change(session, edit, stored, record)


def change_item_delivery(session: Session, edit: Edit, wanted: ItemDelivery) -> int:
    """As `change_item_texts`."""
    stored = _locked(session, edit)
    _refuse(
        {
            "itemKind": "" if wanted.item_kind in ITEM_KINDS else "Choose a kind.",
            "sku": "" if wanted.sku.strip() else "Enter a stock number.",
            "stock": ""
            if 0 <= (wanted.stock or 0) <= MAX_STOCK
            else f"Enter 0 to {count_text(MAX_STOCK)}, or nothing.",
            "fulfilment": "" if wanted.fulfilment in FULFILMENTS else "Choose how it reaches its buyer.",
            "weightG": "" if 0 <= wanted.weight_g <= MAX_WEIGHT_G else f"Enter 0 to {count_text(MAX_WEIGHT_G)} grams.",
            "taxClass": "" if wanted.tax_class in TAX_CLASSES else "Choose a tax class.",
        }
    )
    values = {**vars(wanted), "sku": wanted.sku.strip(), "delivery": wanted.delivery.strip()}
    return _change(session, edit, stored, replace(stored.record, **values))


def missing_with(stored: StoredItem, texts: ItemTexts) -> tuple[str, ...]:
    """What the item would lack for its page with these texts, which may be half typed."""
    typed = {"name": texts.name, "subtitle": texts.subtitle, "description": texts.description}
    return publish_rules.missing_requirements(stored.row | typed)


def _locked(session: Session, edit: Edit) -> StoredItem:
    stored = locked_product(session, edit.product_id, edit.version, "item")
    if not isinstance(stored, StoredItem):
        raise TypeError("an item was locked as a course")
    return stored


def _put_new(session: Session, record: ItemRecord, actor: Actor) -> int:
    try:
        return put_item(session, record, actor.at)
    except Refused as error:
        raise InvalidInput({"sku": str(error)}) from error


def _change(session: Session, edit: Edit, stored: StoredItem, record: ItemRecord) -> int:
    if record.status in ("published", "scheduled"):
        row = stored.row | {name: getattr(record, name) for name in ("name", "subtitle", "description")}
        if missing := publish_rules.missing_requirements(row):
            raise InvalidInput({"form": f"This item is {record.status}, and {', '.join(missing)}."})
    try:
        version = put_product(session, record, edit.actor.at)
    except Refused as error:
        raise InvalidInput({"sku": str(error)}) from error
    before, after = _fields(stored.record), _fields(record)
    if before == after:
        recording.no_change(session)
    else:
        recording.record(session, "item.edit", Subject("item", edit.product_id), before=before, after=after)
    return version


def _fields(record: ItemRecord) -> Json:
    """For the event, which never has a long text."""
    values: Json = {**vars(texts_of(record)), **vars(delivery_of(record))}
    return {name: value if len(str(value)) <= 200 else shortened(str(value)) for name, value in values.items()}


def _refuse(errors: dict[str, str]) -> None:
    if wrong := {name: text for name, text in errors.items() if text}:
        raise InvalidInput(wrong)
