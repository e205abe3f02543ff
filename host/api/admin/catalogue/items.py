"""Calls about shop items: creating, texts with a preview, stock and delivery, states of publication."""

from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.permissions import Permission
from domain.publishing.editing import item_contents, item_texts, publication
from domain.publishing.editing.item_texts import ITEM_KINDS, ItemDelivery, ItemTexts, NewItem
from domain.publishing.editing.stored_item import StoredItem, stored_item
from domain.tax.context import TAX_CLASSES
from host.api.admin.actions import COURSES, ITEMS, MARKDOWN, FormField, action
from host.api.admin.courses import (
    RETIRED,
    CoursePublication,
    CourseRetirement,
    CourseSaved,
    CourseVersion,
    LongText,
    Name,
    ProductChange,
    Slug,
    Version,
    change_product,
    retirement_effects,
    stored_state,
)
from host.api.admin.outcome import ActionPreview
from host.api.fields import SAFE, WHOLE, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.rendering.markdown import markdown_to_html

Short = Annotated[str, Field(max_length=500)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
ItemKind = Literal["book", "voucher", "bundle", "physical"]
STOCK = "What can still be sold, without what orders have reserved. Empty: as many as people want."
DELIVERY = "As its page says it, such as: sent within two days."
WEIGHT = "Of one with its packing. 0: not known, which costs no postage."
FULFILMENT = {
    "shipped": "Sent by post",
    "download": "Downloaded",
    "code": "A code by mail",
    "courses": "Courses of a bundle",
}
CLASSES = {name: name.capitalize() for name in TAX_CLASSES if name != "delivery"}
WRITE, PUBLISH = Permission.CATALOGUE_WRITE, Permission.CATALOGUE_PUBLISH


class NewShopItem(Strict):
    """`sku`: its stock number."""

    name: Annotated[Name, FormField("Name")]
    itemKind: Annotated[ItemKind, FormField("Kind", options=ITEM_KINDS)]
    category: Annotated[Slug, FormField("Category", "choice")]
    sku: Annotated[Slug, FormField("Stock number", hint="Your own number of it; no other item has it.")]


class ItemTextChange(Strict):
    """`description`: Markdown."""

    version: Version
    name: Annotated[Name, FormField("Name")]
    subtitle: Annotated[Short, FormField("Subtitle", is_required=False)]
    description: Annotated[LongText, FormField("Description", "markdown", MARKDOWN, is_required=False, rows=12)]
    category: Annotated[Slug, FormField("Category", "choice")]

    @property
    def texts(self) -> ItemTexts:
        return ItemTexts(self.name, self.subtitle, self.description, self.category)


class ItemDeliveryChange(Strict):
    """`stock` null: as many as people want. `weightG`: of one with its packing, in grams; 0: not known."""

    version: Version
    itemKind: Annotated[ItemKind, FormField("Kind", options=ITEM_KINDS)]
    sku: Annotated[Slug, FormField("Stock number")]
    stock: Annotated[Count | None, FormField("In stock", hint=STOCK)]
    fulfilment: Annotated[
        Literal["shipped", "download", "code", "courses"], FormField("How it reaches its buyer", options=FULFILMENT)
    ]
    delivery: Annotated[Short, FormField("Delivery in words", hint=DELIVERY, is_required=False)]
    weightG: Annotated[Count, FormField("Weight in grams", hint=WEIGHT, is_required=False)]
    taxClass: Annotated[str, Field(max_length=20), FormField("Tax class", "choice", options=CLASSES)]


class ItemCourses(Strict):
    """`courses`: their slugs, in the order in which the bundle opens them."""

    version: Version
    courses: Annotated[
        list[Slug], Field(max_length=item_contents.MAX_COURSES), FormField("Courses", "picks", source=COURSES)
    ]


class ItemFiles(Strict):
    """`files`: SHA-256 of stored files, in the order in which buyers see them."""

    version: Version
    files: Annotated[list[Digest], Field(max_length=item_contents.MAX_FILES)]


class ItemRetirement(CourseRetirement):
    successor: Annotated[Slug, FormField("Successor", "pick", "A part of its name. Empty: none.", source=ITEMS)] = ""


@action(
    "admin/items",
    NewShopItem,
    "What it is",
    "Create draft",
    status=201,
    permission=WRITE,
    refusals=(404,),
    reply=CourseSaved,
)
async def create_item(request: web.Request, body: NewShopItem) -> CourseSaved:
    """Create a draft. 422 for a name whose address, or a stock number which, another item has."""
    actor, new = request[request_keys.ACTOR], NewItem(body.name, body.category, body.itemKind, body.sku)
    item_id = await request.app[DATABASE].write_as(actor, item_texts.create_item, actor, new)
    stored = await request.app[DATABASE].read(stored_item, item_id)
    text, href = "The draft is created.", f"/admin/items/{item_id}"
    return CourseSaved(id=item_id, version=stored.product.version, text=text, href=href)


@action(
    "admin/items/{id}/texts",
    ItemTextChange,
    "Texts",
    "Save texts",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CourseSaved,
    is_editor=True,
)
async def change_item_texts(request: web.Request, body: ItemTextChange) -> CourseSaved:
    """Store the texts of an item. 409 with what somebody else has stored since `version`."""
    change = ProductChange("The texts are saved.", item_texts.change_item_texts, stored_texts)
    return await change_product(request, body.version, change, body.texts)


@action(
    "admin/items/{id}/delivery",
    ItemDeliveryChange,
    "Stock and delivery",
    "Save stock and delivery",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CourseSaved,
    is_editor=True,
)
async def change_item_delivery(request: web.Request, body: ItemDeliveryChange) -> CourseSaved:
    """Store kind, stock and delivery of an item. 409 as for its texts."""
    wanted = ItemDelivery(
        item_kind=body.itemKind,
        sku=body.sku,
        stock=body.stock,
        fulfilment=body.fulfilment,
        delivery=body.delivery,
        weight_g=body.weightG,
        tax_class=body.taxClass,
    )
    change = ProductChange("Stock and delivery are saved.", item_texts.change_item_delivery, stored_delivery)
    return await change_product(request, body.version, change, wanted)


@action(
    "admin/items/{id}/courses",
    ItemCourses,
    "Courses of the bundle",
    "Save courses",
    text="Whoever buys it from now on gets these; whoever has bought it keeps what they have.",
    method="PUT",
    permission=WRITE,
    refusals=(409,),
    reply=CourseSaved,
    is_editor=True,
)
async def change_item_courses(request: web.Request, body: ItemCourses) -> CourseSaved:
    """Store which courses a bundle opens. 409 as for its texts, 403 for what is no bundle."""
    change = ProductChange("The courses are saved.", item_contents.change_courses, stored_courses)
    return await change_product(request, body.version, change, body.courses)


@call("admin/items/{id}/files", ItemFiles, CourseSaved, method="PUT", permission=WRITE, refusals=(409,))
async def change_item_files(request: web.Request, body: ItemFiles) -> CourseSaved:
    """Store which files the buyers of an item can download. 409 as for its texts, 403 for what is not downloaded."""
    change = ProductChange("The files are saved.", item_contents.change_files, stored_files)
    return await change_product(request, body.version, change, body.files)


@change_item_texts.preview("typed")
async def preview_item(request: web.Request, body: ItemTextChange) -> ActionPreview:
    """What the shop would show of these texts, and what the item would lack. Stores nothing."""
    stored = await request.app[DATABASE].read(stored_item, request[request_keys.PATH_ID])
    missing = item_texts.missing_with(stored, body.texts)
    return ActionPreview(html={"description": markdown_to_html(body.description)}, lacks=list(missing))


@action(
    "admin/items/{id}/publish",
    CoursePublication,
    "Publish",
    "Publish now",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
)
async def publish_item(request: web.Request, body: CoursePublication) -> CourseSaved:
    """Publish an item now or at a time. 403 with what it lacks."""
    done = "It is published." if body.startsAt is None else "The publication is planned."
    change = ProductChange(done, publication.publish, stored_state)
    return await change_product(request, body.version, change, body.startsAt, kind="item")


@action(
    "admin/items/{id}/withdraw",
    CourseVersion,
    "Not yet",
    "Make it a draft again",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
)
async def withdraw_item(request: web.Request, body: CourseVersion) -> CourseSaved:
    """Make a scheduled item a draft again."""
    change = ProductChange("It is a draft again.", publication.make_draft, stored_state)
    return await change_product(request, body.version, change, kind="item")


@action(
    "admin/items/{id}/retire",
    ItemRetirement,
    "Retire",
    "Retire the item",
    permission=PUBLISH,
    refusals=(409,),
    reply=CourseSaved,
    is_dangerous=True,
    text=RETIRED,
)
async def retire_item(request: web.Request, body: ItemRetirement) -> CourseSaved:
    """Sell an item no more."""
    change = ProductChange("The item is retired.", publication.retire, stored_state)
    return await change_product(request, body.version, change, body.successor, body.reason, kind="item")


@retire_item.preview("confirmed")
async def preview_item_retirement(request: web.Request, body: ItemRetirement) -> ActionPreview:
    """What the retirement of an item would do. 422 for a successor that is no published item."""
    return await retirement_effects(request, body)


def stored_texts(_session: Session, stored: StoredItem) -> dict[str, Any]:
    return dict(vars(item_texts.texts_of(stored.record)))


def stored_courses(session: Session, stored: StoredItem) -> dict[str, Any]:
    found = item_contents.courses_of(session, stored.product.id)
    return {"courses": [{"value": course.slug, "text": course.name} for course in found]}


def stored_files(session: Session, stored: StoredItem) -> dict[str, Any]:
    return {"files": [file.sha256 for file in item_contents.files_of(session, stored.product.id)]}


def stored_delivery(_session: Session, stored: StoredItem) -> dict[str, Any]:
    known = item_texts.delivery_of(stored.record)
    return {
        "itemKind": known.item_kind,
        "sku": known.sku,
        "stock": known.stock,
        "fulfilment": known.fulfilment,
        "delivery": known.delivery,
        "weightG": known.weight_g,
        "taxClass": known.tax_class,
    }
