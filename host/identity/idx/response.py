"""Access to one response of the identity engine: its forms, messages and outcome."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
VERSION = "1.0.0"
_AUTHENTICATORS = ("currentAuthenticatorEnrollment", "currentAuthenticator")


def rows(part: Any) -> list[Json]:
    """The objects of an ion array ({"type": "array", "value": […]}) or of a plain list."""
    items = part.get("value") if isinstance(part, Mapping) else part
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


@dataclass(frozen=True)
class Message:
    key: str
    text: str
    kind: str
    field: str | None = None


@dataclass(frozen=True)
class IdxResponse:
    """`data` is the unchanged body; `is_step_up`: the provider requires the device to authenticate itself."""

    data: Json
    status: int = 200
    is_step_up: bool = False

    @property
    def is_good(self) -> bool:
        return self.status < 300

    @property
    def is_expired(self) -> bool:
        """The transaction expired at the provider."""
        return any(message.key == "idx.session.expired" for message in self.messages())

    @property
    def state_handle(self) -> str | None:
        handle = self.data.get("stateHandle")
        return handle if isinstance(handle, str) else None

    @property
    def remediations(self) -> list[Json]:
        return [form for form in rows(self.data.get("remediation")) if isinstance(form.get("name"), str)]

    @property
    def current_authenticator(self) -> Json:
        """The authenticator that is being verified or enrolled, {} without one."""
        name = next((name for name in _AUTHENTICATORS if isinstance(self.data.get(name), dict)), None)
        return {} if name is None else self._value_of(name)

    def action(self, name: str) -> Json | None:
        """`cancel` of the response; `recover`, `resend` or `poll` of the authenticator."""
        for part in (self.data, *(self._value_of(member) for member in _AUTHENTICATORS)):
            form = part.get(name)
            if isinstance(form, dict) and "rel" in form:
                return form
        return None

    def _value_of(self, name: str) -> Json:
        member = self.data.get(name)
        value = member.get("value", member) if isinstance(member, dict) else None
        return value if isinstance(value, dict) else {}

    def form(self, name: str) -> Json | None:
        """The form of a step by its name; `recover` may also be an action of the authenticator."""
        form = next((form for form in self.remediations if form["name"] == name), None)
        return form if form is not None or name != "recover" else self.action("recover")

    @property
    def interaction_code(self) -> str | None:
        success = self.data.get("successWithInteractionCode")
        fields = rows(success) if isinstance(success, dict) else []
        code = next((field.get("value") for field in fields if field.get("name") == "interaction_code"), None)
        return code if isinstance(code, str) else None

    @property
    def is_terminal(self) -> bool:
        return not self.remediations and self.interaction_code is None

    @property
    def is_over(self) -> bool:
        """The transaction ended without an error, and cannot be cancelled any more."""
        has_no_error = self.is_good and all(message.kind != "error" for message in self.messages())
        return self.is_terminal and has_no_error and self.action("cancel") is None

    @property
    def polling(self) -> Json | None:
        """The form to poll with until the person has reacted elsewhere."""
        first = self.remediations[0] if self.remediations else {}
        is_poll = first.get("name") == "poll" or str(first.get("name", "")).endswith("-poll")
        return first if is_poll else self.action("poll")

    def messages(self) -> list[Message]:
        """The messages of the response, then those of fields, without duplicates."""
        messages = [*_messages_of(self.data.get("messages"), None), *_field_messages(self.remediations)]
        return list({(message.key, message.text): message for message in messages}.values())

    def resolve(self, path: Any) -> Json:
        """The object that a `relatesTo` path refers to, {} when there is none."""
        target: Any = self.data
        for part in str(path).removeprefix("$.").replace("[", ".").replace("]", "").split("."):
            try:
                target = target[int(part)] if part.isdigit() else target[part]
            except (KeyError, IndexError, TypeError):
                return {}
        if isinstance(target, dict) and "key" not in target and isinstance(target.get("value"), dict):
            target = target["value"]
        return target if isinstance(target, dict) else {}


def _messages_of(part: Any, field: str | None) -> Iterator[Message]:
    for row in rows(part):
        i18n = row.get("i18n")
        key = str(i18n.get("key", "")) if isinstance(i18n, dict) else ""
        kind = str(row.get("class", "ERROR")).lower()
        yield Message(key, str(row.get("message", "")), kind if kind in ("warning", "info") else "error", field)


def _field_messages(part: Any) -> Iterator[Message]:
    if isinstance(part, list):
        for item in part:
            yield from _field_messages(item)
    elif isinstance(part, dict):
        if "messages" in part and isinstance(part.get("name"), str) and "rel" not in part:
            yield from _messages_of(part["messages"], part["name"])
        for name in ("form", "value", "options"):
            yield from _field_messages(part.get(name))
