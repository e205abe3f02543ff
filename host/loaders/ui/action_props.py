"""The props of components/admin/actions/ActionView.tsx: the page of one thing with texts, and forms that each make one
call about it."""

from typing import Unpack

from typing_extensions import TypedDict

from host.api.admin.actions import Action, ActionField, ActionOption, FieldKind, Picked
from host.loaders.ui.detail_props import DetailProps

__all__ = ["Action", "ActionField", "ActionOption", "ActionPageProps", "TextPart", "action", "field", "new_page"]


class TextPart(TypedDict):
    """A text with its own lines, such as a mail."""

    id: str
    title: str
    text: str


class ActionPageProps(DetailProps):
    """`actions` holds what this person may do now."""

    texts: list[TextPart]
    actions: list[Action]


class FieldOptions(TypedDict, total=False):
    """What a field has when it differs: it is required, of one line of 500 characters, without a hint."""

    kind: FieldKind
    hint: str
    is_required: bool
    max_length: int
    value: str
    options: dict[str, str]
    href: str
    source: str
    picked: list[Picked]


class ActionOptions(TypedDict, total=False):
    """`id`: where several actions of a page make the same call. `question`: of a dangerous action, or with
    `is_harmless` of one that is not. `leads_to`: the page after it."""

    id: str
    text: str
    fields: list[ActionField]
    question: str
    is_harmless: bool
    leads_to: str


def new_page(title: str, path: str, back_text: str, actions: list[Action]) -> ActionPageProps:
    """The page on which a thing of the list at `path` begins."""
    return {
        "title": title,
        "heading": title,
        "backHref": path,
        "backText": back_text,
        "facts": [],
        "texts": [],
        "tables": [],
        "actions": actions,
    }


def field(name: str, label: str, **options: Unpack[FieldOptions]) -> ActionField:
    described: ActionField = {
        "name": name,
        "label": label,
        "kind": options.get("kind", "line"),
        "hint": options.get("hint", ""),
        "isRequired": options.get("is_required", True),
        "maxLength": options.get("max_length", 500),
        "value": options.get("value", ""),
        "options": [{"value": value, "label": text} for value, text in options.get("options", {}).items()],
        "href": options.get("href", ""),
    }
    if "source" in options:
        described["source"] = options["source"]
        described["picked"] = options.get("picked", [])
    return described


def action(title: str, call: str, button: str, **options: Unpack[ActionOptions]) -> Action:
    """One with a question is dangerous, unless it is said to be harmless. Without another id, its id is the end of the
    call's path."""
    return {
        "id": options.get("id", call.rpartition("/")[2]),
        "title": title,
        "text": options.get("text", ""),
        "call": call,
        "button": button,
        "isDangerous": "question" in options and not options.get("is_harmless", False),
        "question": options.get("question"),
        "fields": options.get("fields", []),
        "leadsTo": options.get("leads_to"),
    }
