"""Names that the JSON of carts and wishlists had in the build before this one.

A page which that build served calls this one until its next navigation, so its requests are accepted, and answers
carry the former members beside the current ones. Pages need none: /data of another build makes a page reload.
Delete this module, its uses in registry.py and wishlist.py, and tests/host/api/test_former_names.py with the next
release.
"""

import json
from typing import Any

from pydantic import AliasChoices, BaseModel

CALLS = {"wishlist/look": "wishlist/preview"}
WISHLIST_ITEMS = AliasChoices("items", "wishes")
_MEMBERS = {
    "rejectedOffers": "losers",
    "unitDiscount": "unitOff",
    "unavailable": "missing",
    "items": "wishes",
    "isAvailable": "isSold",
}
_REASONS = {"higher": "dearer", "equal": "same"}
_AREAS = ("cart", "wishlist")


def response_json(call_name: str, response: BaseModel) -> bytes:
    """The response as JSON; that of a cart or wishlist call carries the former names too."""
    if call_name.partition("/")[0] not in _AREAS:
        return response.model_dump_json(by_alias=True).encode()
    return _encode(with_former_names(response.model_dump(mode="json", by_alias=True)))


def with_former_names(value: Any) -> Any:
    if isinstance(value, list):
        return [with_former_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    members = {name: with_former_names(member) for name, member in value.items()}
    former = {_MEMBERS[name]: member for name, member in members.items() if name in _MEMBERS}
    if "losers" in former:
        former["losers"] = [{**offer, "reason": _REASONS[offer["reason"]]} for offer in former["losers"]]
    return members | former


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
