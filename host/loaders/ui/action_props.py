"""The props of components/admin/actions/ActionView.tsx: the page of one thing with texts, and forms that each make one
call about it."""

from typing import Literal, Unpack

from typing_extensions import TypedDict

from host.loaders.ui.detail_props import DetailProps

FieldKind = Literal["line", "text", "choice"]


class ActionField(TypedDict):
    """`kind`: one line, several lines, or one of `options`. `hint` may be ""."""

    name: str
    label: str
    kind: FieldKind
    hint: str
    isRequired: bool
    maxLength: int
    options: list["ActionOption"]


class ActionOption(TypedDict):
    value: str
    label: str


class Action(TypedDict):
    """A form: `call` is the path of the call below /api, whose answer says in words what was done. `question`: asked
    before it, null: nothing. `leadsTo`: the page after it, null: this one, loaded again."""

    id: str
    title: str
    text: str
    call: str
    button: str
    isDangerous: bool
    question: str | None
    fields: list[ActionField]
    leadsTo: str | None


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
    options: dict[str, str]


class ActionOptions(TypedDict, total=False):
    """`question`: of a dangerous action. `leads_to`: the page after it."""

    text: str
    fields: list[ActionField]
    question: str
    leads_to: str


def field(name: str, label: str, **options: Unpack[FieldOptions]) -> ActionField:
    return {
        "name": name,
        "label": label,
        "kind": options.get("kind", "line"),
        "hint": options.get("hint", ""),
        "isRequired": options.get("is_required", True),
        "maxLength": options.get("max_length", 500),
        "options": [{"value": value, "label": text} for value, text in options.get("options", {}).items()],
    }


def action(title: str, call: str, button: str, **options: Unpack[ActionOptions]) -> Action:
    """One with a question is dangerous. Its id is the end of the call's path."""
    return {
        "id": call.rpartition("/")[2],
        "title": title,
        "text": options.get("text", ""),
        "call": call,
        "button": button,
        "isDangerous": "question" in options,
        "question": options.get("question"),
        "fields": options.get("fields", []),
        "leadsTo": options.get("leads_to"),
    }
