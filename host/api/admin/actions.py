"""Actions of staff. `@action` registers a call and describes the form that makes it: its fields are those of the
request model which have a `FormField`. A loader asks for the form by `StaffAction.form`; components/admin/actions draws
it."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, Unpack, cast, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from typing_extensions import TypedDict

from host.api.admin.outcome import ActionPreview, Reason, StaffOutcome
from host.api.registry import CallOptions, Handler, call

FieldKind = Literal[
    "line",
    "text",
    "markdown",
    "choice",
    "choices",
    "yes",
    "checked",
    "number",
    "percent",
    "money",
    "time",
    "day",
    "pick",
    "picks",
    "products",
    "fixed",
    "fact",
]
# `typed`: after each change of a field; `confirmed`: before the question, which says it.
PreviewTime = Literal["typed", "confirmed"]
ActionMethod = Literal["POST", "PUT"]
# The calls in which a field of the kind `pick` or `picks` searches (host/api/admin/people/picking.py).
PRODUCTS, COURSES, ITEMS = "/admin/picker/products", "/admin/picker/courses", "/admin/picker/items"
ORGANISATIONS, PEOPLE = "/admin/picker/organisations", "/admin/picker/people"
CATEGORIES, INSTRUCTORS = "/admin/picker/categories", "/admin/picker/instructors"
PLACES = "/admin/picker/places"
MEMBERS = "/organization/picker/members"
MAX_LENGTH = 500
MARKDOWN = "Markdown: **bold**, lists with -, headings with ##, [a link](https://…)."


class ActionOption(TypedDict):
    value: str
    label: str


class Picked(TypedDict):
    """What is picked already: `value` as the call takes it, and its name."""

    value: str
    text: str


class ShownIf(TypedDict):
    """The field is shown while the field `name` has one of `values`; "yes" of a box that is checked."""

    name: str
    values: list[str]


class ActionField(TypedDict):
    """`kind`: one line, several lines, Markdown, one of `options`, several of them, a box for yes, a box that sends its
    `value`, a number, a percentage, minor units of the shop's currency, an instant in UTC, a day, one or several things
    that `source` finds, products with a line each, a `value` that is not shown, or one that is shown and not sent.

    `hint` may be "". `value`: at first, "" for none; `values`: of several options. `href`: of a page to read before, ""
    for none. `isNullable`: without a number the call gets null, else 0. `group`: the heading of this field and of its
    neighbours with the same one."""

    name: str
    label: str
    kind: FieldKind
    hint: str
    isRequired: bool
    maxLength: int
    value: str
    options: list[ActionOption]
    href: str
    values: NotRequired[list[str]]
    picked: NotRequired[list[Picked]]
    source: NotRequired[str]
    rows: NotRequired[int]
    minimum: NotRequired[int]
    maximum: NotRequired[int]
    isNullable: NotRequired[bool]
    group: NotRequired[str]
    shownIf: NotRequired[ShownIf]


class PreviewCall(TypedDict):
    call: str
    when: PreviewTime


class Action(TypedDict):
    """A form: `call` is the path of the call below /api, whose answer says in words what was done. `question`: asked
    before it, null: nothing. `leadsTo`: the page after it, null: this one, loaded again.

    `version`: of what is changed, which the call gets too. `isEditor`: its fields hold what is stored, and still do
    after it. `isIdempotent`: the call gets a key, so that it acts once."""

    id: str
    title: str
    text: str
    call: str
    button: str
    isDangerous: bool
    question: str | None
    fields: list[ActionField]
    leadsTo: str | None
    method: NotRequired[ActionMethod]
    version: NotRequired[int]
    preview: NotRequired[PreviewCall]
    isEditor: NotRequired[bool]
    isIdempotent: NotRequired[bool]


@dataclass(frozen=True)
class FormField:
    """How people are asked for a field of a request model; what is left out follows from the field's type. `kind`: one
    line for text. `options`: by value, of a choice that never changes. `shown_if`: the name of another field, and its
    values with which this one is shown. `maximum`: of a percentage. `href`: of a page to read before."""

    label: str
    kind: FieldKind | None = None
    hint: str = ""
    is_required: bool | None = None
    rows: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    group: str = ""
    shown_if: tuple[str, Collection[str]] | None = None
    maximum: int | None = None
    href: str = ""


# Why something is done: the audit keeps it.
RecordedReason = Annotated[Reason, FormField("Reason", hint="It is recorded for good. Name nobody in it.")]


@dataclass(frozen=True)
class FormEntry:
    """A field for one key of a request field that is a dict. `name`: what stands for {} in the declared label."""

    name: str
    hint: str = ""
    value: int | str | None = None
    maximum: int | None = None


class FormOptions(TypedDict, total=False):
    """What a form has on one page. By the names of the fields: `values` are what they hold at first, in the form of the
    request (of picked things with their names, as `Picked`), `options` their choices, `entries` those of a dict by key;
    `labels`, `hints` and `hrefs` replace the declared ones. Fields of a model inside of the request have its name and a
    point before their own. `without`: fields that this page does not have; `required`: those that it needs, though
    the call does not; `fixed`: fields that are sent as they are, unseen.
    `has_preview` false: it does nothing that had to be said before. `id`: where several forms of a page make the same
    call; title, text, button and question replace the declared ones."""

    values: Mapping[str, Any]
    options: Mapping[str, Mapping[str, str]]
    entries: Mapping[str, Mapping[str, FormEntry]]
    labels: Mapping[str, str]
    hints: Mapping[str, str]
    hrefs: Mapping[str, str]
    without: Collection[str]
    required: Collection[str]
    fixed: Collection[str]
    has_preview: bool
    version: int
    id: str
    title: str
    text: str
    button: str
    question: str | None
    is_dangerous: bool
    leads_to: str


class StaffActionOptions(CallOptions, total=False):
    """Options of an action beside those of its call. `question`: asked before it. `is_editor`: the form shows what is
    stored. `reply`: a StaffOutcome with more."""

    text: str
    question: str
    is_dangerous: bool
    is_editor: bool
    reply: type[StaffOutcome]


@dataclass
class StaffAction:
    """A call of staff and its form. `preview_when` is None while the action has no preview."""

    name: str
    model: type[BaseModel]
    title: str
    button: str
    options: StaffActionOptions
    preview_when: PreviewTime | None = None

    def preview(self, when: PreviewTime) -> Callable[[Handler], Handler]:
        """Register a handler that says what the action would do with the same body; it changes nothing."""
        self.preview_when = when
        taken = ("area", "permission", "has_text_ids", "max_auth_age_s")
        policy = {key: value for key, value in self.options.items() if key in taken}
        return call(f"{self.name}/preview", self.model, ActionPreview, **cast(CallOptions, policy))

    def form(self, *about: int | str, **options: Unpack[FormOptions]) -> Action:
        """The form about the thing with the ids `about`, one for each id in the name of the call; without any it is
        about no stored thing."""
        ids = iter(about)
        path = "/" + re.sub(r"{\w+}", lambda _: str(next(ids)), self.name)
        form: Action = {
            "id": options.get("id", path.rpartition("/")[2]),
            "title": options.get("title", self.title),
            "text": options.get("text", self.options.get("text", "")),
            "call": path,
            "button": options.get("button", self.button),
            "isDangerous": options.get("is_dangerous", self.options.get("is_dangerous", False)),
            "question": options.get("question", self.options.get("question")),
            "fields": self._fields(options),
            "leadsTo": options.get("leads_to"),
            "method": cast(ActionMethod, self.options.get("method", "POST")),
            "isEditor": self.options.get("is_editor", False),
            "isIdempotent": self.options.get("is_idempotent", False),
        }
        if "version" in options:
            form["version"] = options["version"]
        if self.preview_when is not None and options.get("has_preview", True):
            form["preview"] = {"call": f"{path}/preview", "when": self.preview_when}
        return form

    def _fields(self, options: FormOptions) -> list[ActionField]:
        values, entries = options.get("values", {}), options.get("entries", {})
        fields: list[ActionField] = []
        for name, info in _named_fields(self.model):
            shown = _declared(info)
            if shown is None or name in options.get("without", ()):
                continue
            here = _shown_here(name, shown, options)
            if get_origin(info.annotation) is dict:
                fields += _entry_fields(name, info, here, entries.get(name, {}))
            else:
                fields.append(_form_field(name, info, here, values.get(name)))
        return fields


# By the name of the call.
ACTIONS: dict[str, StaffAction] = {}


def action(
    name: str, model: type[BaseModel], title: str, button: str, **options: Unpack[StaffActionOptions]
) -> Callable[[Handler], StaffAction]:
    """Register a handler `async (request, body) -> StaffOutcome` as the call /api/{name} of staff, as `@call` does, and
    describe its form."""

    def register(handler: Handler) -> StaffAction:
        own = StaffActionOptions.__annotations__.keys() - CallOptions.__annotations__.keys()
        of_call = {key: value for key, value in options.items() if key not in own}
        call(name, model, options.get("reply", StaffOutcome), **cast(CallOptions, of_call))(handler)
        ACTIONS[name] = StaffAction(name, model, title, button, options)
        return ACTIONS[name]

    return register


def _named_fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from _named_fields(info.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, info


def _declared(info: FieldInfo) -> FormField | None:
    return next((entry for entry in info.metadata if isinstance(entry, FormField)), None)


def _shown_here(name: str, shown: FormField, options: FormOptions) -> FormField:
    """How the page asks for the field."""
    return replace(
        shown,
        label=options.get("labels", {}).get(name, shown.label),
        kind="fixed" if name in options.get("fixed", ()) else shown.kind,
        hint=options.get("hints", {}).get(name, shown.hint),
        is_required=True if name in options.get("required", ()) else shown.is_required,
        options=options.get("options", {}).get(name, shown.options),
        href=options.get("hrefs", {}).get(name, shown.href),
    )


def _entry_fields(
    name: str, info: FieldInfo, shown: FormField, entries: Mapping[str, FormEntry]
) -> Iterator[ActionField]:
    """A field for each key."""
    of_value = FieldInfo.from_annotation(get_args(info.annotation)[1])
    for key, entry in entries.items():
        label = shown.label.format(entry.name)
        here = replace(shown, label=label, hint=entry.hint, maximum=entry.maximum)
        yield _form_field(f"{name}.{key}", of_value, here, entry.value)


def _form_field(name: str, info: FieldInfo, shown: FormField, value: Any) -> ActionField:
    is_nullable, kind = _is_nullable(info), shown.kind or _kind_of(info)
    is_free = is_nullable or not info.is_required() or kind in ("yes", "choices", "picks")
    described: ActionField = {
        "name": name,
        "label": shown.label,
        "kind": kind,
        "hint": shown.hint,
        "isRequired": not is_free if shown.is_required is None else shown.is_required,
        "maxLength": _bound(info, MaxLen, "max_length") or MAX_LENGTH,
        "value": "" if isinstance(value, list) else _text(value),
        "options": [{"value": key, "label": words} for key, words in shown.options.items()],
        "href": shown.href,
    }
    _add_values(described, value)
    minimum = _bound(info, Ge, "ge")
    maximum = _bound(info, Le, "le") if shown.maximum is None else shown.maximum
    if minimum is not None:
        described["minimum"] = minimum
    if maximum is not None:
        described["maximum"] = maximum
    if is_nullable:
        described["isNullable"] = True
    if shown.rows is not None:
        described["rows"] = shown.rows
    if shown.source:
        described["source"] = shown.source
    if shown.group:
        described["group"] = shown.group
    if shown.shown_if is not None:
        described["shownIf"] = {"name": shown.shown_if[0], "values": list(shown.shown_if[1])}
    return described


def _add_values(described: ActionField, value: Any) -> None:
    if described["kind"] == "choices":
        described["values"] = list(value or [])
    elif described["kind"] in ("pick", "picks"):
        things: Sequence[Any] = value if isinstance(value, list) else [value] if value else []
        picked: list[Any] = [one if isinstance(one, dict) else {"value": one, "text": one} for one in things]
        described["picked"] = picked
        described["value"] = ""


def _text(value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    return value.isoformat() if isinstance(value, datetime) else "" if isinstance(value, dict) else str(value)


def _members(info: FieldInfo) -> tuple[Any, ...]:
    """The types of a union, or the one type."""
    return get_args(info.annotation) if get_origin(info.annotation) in (Union, UnionType) else (info.annotation,)


def _is_nullable(info: FieldInfo) -> bool:
    return NoneType in _members(info)


def _kind_of(info: FieldInfo) -> FieldKind:
    """What a field without a kind is, by its type."""
    kinds: dict[Any, FieldKind] = {bool: "yes", int: "number", datetime: "time"}
    types = [_bare(one) for one in _members(info) if one is not NoneType]
    if get_origin(types[0]) is Literal:
        return "choice"
    if get_origin(types[0]) is list:
        return "picks"
    return next((kinds[one] for one in types if one in kinds), "line")


def _bare(annotation: Any) -> Any:
    """A type without what is annotated about it."""
    bare = getattr(annotation, "__origin__", annotation) if hasattr(annotation, "__metadata__") else annotation
    return datetime if isinstance(bare, type) and bare.__name__ == "AwareDatetime" else bare


def _bound(info: FieldInfo, kind: type, name: str) -> int | None:
    """A limit of the field, or of a member of its union."""
    declared = [*info.metadata]
    for member in _members(info):
        for entry in getattr(member, "__metadata__", ()):
            declared += entry.metadata if isinstance(entry, FieldInfo) else [entry]
    return next((getattr(entry, name) for entry in declared if isinstance(entry, kind)), None)
