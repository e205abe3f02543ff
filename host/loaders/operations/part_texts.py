"""The running parts of the README in words: what each does, and what its state means."""

from typing import NamedTuple

from host.loaders.ui.table_cells import BadgeTone

# In the order of the picture: from the visitors on.
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Hosts", ("render", "loops", "spool")),
    ("Behind them", ("database", "broker", "worker", "coupons")),
    ("Outside", ("provider", "payments")),
    ("Records", ("audit",)),
)
PARTS: dict[str, tuple[str, str]] = {
    "render": ("SSR workers", "Render the pages."),
    "loops": ("Loops of the hosts", "Watch the catalogue, send visits, and more."),
    "spool": ("Visits", "Go to the workers in batches."),
    "database": ("Database", "Has everything."),
    "broker": ("Redis", "Carries messages to the workers, and the limits."),
    "worker": ("Workers and beat", "Store visits, send mail, do jobs."),
    "coupons": ("Coupon checks", "Are done by workers."),
    "provider": ("Sign-in provider", "Says who somebody is."),
    "payments": ("Payment gateway", "Takes payments and pays back."),
    "audit": ("Record of changes", "Is checked every night."),
}


class PartState(NamedTuple):
    """`rank`: the higher, the worse. `text`: what it means for visitors; "" when there is nothing to say."""

    label: str
    tone: BadgeTone
    rank: int
    text: str


_UP = PartState("Up", "good", 0, "")
_NONE = PartState("Not used", "neutral", 0, "")
_UNKNOWN = PartState("Unknown", "warning", 2, "")
# States of all parts that have no text of their own.
_STATES: dict[str, PartState] = {
    "up": _UP,
    "idle": _UP,
    "none": _NONE,
    "starting": PartState("Starting", "info", 1, "It has not answered yet."),
    "down": PartState("Down", "bad", 4, ""),
    "failing": PartState("Failing", "bad", 3, ""),
    "broken off": PartState("Interrupted", "warning", 3, ""),
    "unknown": _UNKNOWN,
}
_OWN: dict[tuple[str, str], PartState] = {
    ("render", "down"): PartState("Down", "bad", 4, "The browser renders pages instead, after a plain list."),
    ("loops", "starting"): PartState("Starting", "info", 1, "Not all have begun yet."),
    ("loops", "failing"): PartState("Failing", "bad", 3, "The log of the host says which; it goes on by itself."),
    ("spool", "broken off"): PartState("On disk", "warning", 3, "They wait on the disk of the host; none is lost."),
    ("database", "down"): PartState(
        "Down", "bad", 4, "Pages of the last day are shown, marked as old; nothing is sold."
    ),
    ("broker", "down"): PartState("Down", "bad", 4, "Hosts check coupons themselves, and visits wait on disk."),
    ("broker", "none"): PartState("Not used", "neutral", 0, "Hosts do the work of workers themselves."),
    ("worker", "down"): PartState("Down", "bad", 4, "Visits and mail wait in Redis; coupons are checked by hosts."),
    ("coupons", "broken off"): PartState(
        "By hosts", "warning", 3, "Workers did not answer in time; no visitor notices."
    ),
    ("provider", "down"): PartState("Down", "bad", 4, "Nobody can sign in; who is signed in stays so."),
    ("payments", "down"): PartState("Down", "bad", 4, "Nothing can be paid; free orders go on."),
    ("audit", "up"): PartState("As recorded", "good", 0, ""),
    ("audit", "none"): PartState("Not checked yet", "neutral", 1, ""),
    ("audit", "wrong"): PartState("Changed", "bad", 5, "An event is not as it was recorded: see the audit."),
}


def state_of(part: str, state: str) -> PartState:
    return _OWN.get((part, state)) or _STATES.get(state) or PartState(state.capitalize(), "warning", 2, "")
