"""Calls about shop items: creating, texts with a preview, stock and delivery, states of publication."""

from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import Field
from sqlalchemy.orm import Session

from domain.permissions import Permission
from domain.publishing.editing import item_texts, publication
from domain.publishing.editing.item_texts import ItemDelivery, ItemTexts, NewItem
from domain.publishing.editing.stored_item import StoredItem, stored_item
from host.api.admin.actions import MARKDOWN, FormField, action
from host.api.admin.courses import (
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
    stored_state,
)
from host.api.admin.outcome import ActionPreview
from host.api.fields import SAFE, WHOLE, Strict
from host.api.registry import call
from host.app_keys import DATABASE
from host.http import request_keys
from host.publishing.item_values import delivery_values, text_values
from host.rendering.markdown import markdown_to_html

Short = Annotated[str, Field(max_length=500)]
Count = Annotated[int, Field(ge=0, le=SAFE), WHOLE]
ItemKind = Literal["book", "voucher", "bundle", "physical"]
WRITE, PUBLISH = Permission.CATALOGUE_WRITE, Permission.CATALOGUE_PUBLISH


class NewShopItem(Strict):
    """`sku`: its stock number."""

    name: Name
    category: Slug
    itemKind: ItemKind
    sku: Slug


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
    itemKind: ItemKind
    sku: Slug
    stock: Count | None
    fulfilment: Literal["shipped", "download", "code", "courses"]
    delivery: Short
    weightG: Count
    taxClass: Annotated[str, Field(max_length=20)]


@call("admin/items", NewShopItem, CourseSaved, status=201, area="admin", permission=WRITE, refusals=(404,))
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


@call(
    "admin/items/{id}/delivery",
    ItemDeliveryChange,
    CourseSaved,
    method="PUT",
    area="admin",
    permission=WRITE,
    refusals=(409,),
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


@change_item_texts.preview("typed")
async def preview_item(request: web.Request, body: ItemTextChange) -> ActionPreview:
    """What the shop would show of these texts, and what the item would lack. Stores nothing."""
    stored = await request.app[DATABASE].read(stored_item, request[request_keys.PATH_ID])
    missing = item_texts.missing_with(stored, body.texts)
    return ActionPreview(html={"description": markdown_to_html(body.description)}, lacks=list(missing))


@call("admin/items/{id}/publish", CoursePublication, CourseSaved, area="admin", permission=PUBLISH, refusals=(409,))
async def publish_item(request: web.Request, body: CoursePublication) -> CourseSaved:
    """Publish an item now or at a time. 403 with what it lacks."""
    done = "It is published." if body.startsAt is None else "The publication is planned."
    change = ProductChange(done, publication.publish, stored_state)
    return await change_product(request, body.version, change, body.startsAt, kind="item")


@call("admin/items/{id}/withdraw", CourseVersion, CourseSaved, area="admin", permission=PUBLISH, refusals=(409,))
async def withdraw_item(request: web.Request, body: CourseVersion) -> CourseSaved:
    """Make a scheduled item a draft again."""
    change = ProductChange("It is a draft again.", publication.make_draft, stored_state)
    return await change_product(request, body.version, change, kind="item")


@call("admin/items/{id}/retire", CourseRetirement, CourseSaved, area="admin", permission=PUBLISH, refusals=(409,))
async def retire_item(request: web.Request, body: CourseRetirement) -> CourseSaved:
    """Sell an item no more."""
    change = ProductChange("The item is retired.", publication.retire, stored_state)
    return await change_product(request, body.version, change, body.successor, body.reason, kind="item")


def stored_texts(_session: Session, stored: StoredItem) -> dict[str, Any]:
    return dict(text_values(item_texts.texts_of(stored.record)))


def stored_delivery(_session: Session, stored: StoredItem) -> dict[str, Any]:
    return dict(delivery_values(item_texts.delivery_of(stored.record)))
