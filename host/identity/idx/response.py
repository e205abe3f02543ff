"""One answer of the identity engine, read: what it offers, what it says, how it ended."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
VERSION = "1.0.0"
_HOLDERS = ("currentAuthenticatorEnrollment", "currentAuthenticator")


def rows(part: Any) -> list[Json]:
    """The objects of an ion array ({"type": "array", "value": […]}) or of a plain list."""
    found = part.get("value") if isinstance(part, Mapping) else part
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


@dataclass(frozen=True)
class Message:
    key: str
    text: str
    kind: str
    field: str | None = None


@dataclass(frozen=True)
class Answer:
    """`data` is the body as it came; `is_step_up`: the provider wants the device itself to prove who it is."""

    data: Json
    status: int = 200
    is_step_up: bool = False

    @property
    def is_good(self) -> bool:
        return self.status < 300

    @property
    def is_expired(self) -> bool:
        """The provider has forgotten the transaction."""
        return any(one.key == "idx.session.expired" for one in self.messages())

    @property
    def state_handle(self) -> str | None:
        found = self.data.get("stateHandle")
        return found if isinstance(found, str) else None

    @property
    def remediations(self) -> list[Json]:
        return [one for one in rows(self.data.get("remediation")) if isinstance(one.get("name"), str)]

    @property
    def holder(self) -> Json:
        """The authenticator that is being asked or enrolled, {} when there is none."""
        for name in _HOLDERS:
            found = self.data.get(name)
            if isinstance(found, dict):
                inside = found.get("value", found)
                return inside if isinstance(inside, dict) else {}
        return {}

    def action(self, name: str) -> Json | None:
        """`cancel` of the answer; `recover`, `resend` or `poll` of the authenticator."""
        for part in (self.data, *(self._inside(one) for one in _HOLDERS)):
            found = part.get(name)
            if isinstance(found, dict) and "rel" in found:
                return found
        return None

    def _inside(self, name: str) -> Json:
        found = self.data.get(name)
        inside = found.get("value", found) if isinstance(found, dict) else None
        return inside if isinstance(inside, dict) else {}

    def form(self, name: str) -> Json | None:
        """The form behind a step's name; `recover` is the provider's action."""
        found = next((one for one in self.remediations if one["name"] == name), None)
        return found if found is not None or name != "recover" else self.action("recover")

    @property
    def interaction_code(self) -> str | None:
        success = self.data.get("successWithInteractionCode")
        fields = rows(success) if isinstance(success, dict) else []
        found = next((one.get("value") for one in fields if one.get("name") == "interaction_code"), None)
        return found if isinstance(found, str) else None

    @property
    def is_terminal(self) -> bool:
        return not self.remediations and self.interaction_code is None

    @property
    def is_over(self) -> bool:
        """It ended without an error, and there is nothing left to do or to leave."""
        is_fine = self.is_good and all(one.kind != "error" for one in self.messages())
        return self.is_terminal and is_fine and self.action("cancel") is None

    @property
    def polling(self) -> Json | None:
        """What is asked again and again until the person has done something elsewhere."""
        first = self.remediations[0] if self.remediations else {}
        is_poll = first.get("name") == "poll" or str(first.get("name", "")).endswith("-poll")
        return first if is_poll else self.action("poll")

    def messages(self) -> list[Message]:
        """Those at the top, then those at fields, each once."""
        found = [*_said(self.data.get("messages"), None), *_at_fields(self.remediations)]
        return list({(one.key, one.text): one for one in found}.values())

    def resolved(self, path: Any) -> Json:
        """What a relatesTo points at, {} when it points nowhere."""
        here: Any = self.data
        for part in str(path).removeprefix("$.").replace("[", ".").replace("]", "").split("."):
            try:
                here = here[int(part)] if part.isdigit() else here[part]
            except (KeyError, IndexError, TypeError):
                return {}
        if isinstance(here, dict) and "key" not in here and isinstance(here.get("value"), dict):
            here = here["value"]
        return here if isinstance(here, dict) else {}


def _said(part: Any, field: str | None) -> Iterator[Message]:
    for one in rows(part):
        i18n = one.get("i18n")
        key = str(i18n.get("key", "")) if isinstance(i18n, dict) else ""
        kind = str(one.get("class", "ERROR")).lower()
        yield Message(key, str(one.get("message", "")), kind if kind in ("warning", "info") else "error", field)


def _at_fields(part: Any) -> Iterator[Message]:
    if isinstance(part, list):
        for one in part:
            yield from _at_fields(one)
    elif isinstance(part, dict):
        if "messages" in part and isinstance(part.get("name"), str) and "rel" not in part:
            yield from _said(part["messages"], part["name"])
        for name in ("form", "value", "options"):
            yield from _at_fields(part.get(name))
