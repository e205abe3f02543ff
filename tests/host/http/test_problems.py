"""Problems with members of their own."""

from datetime import UTC, datetime

import orjson

from host.http.problems import version_conflict

SAVED_AT = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)


def test_a_version_conflict_says_who_saved_what_and_when() -> None:
    response = version_conflict(7, "Bo Sand", SAVED_AT, {"name": "Tax", "isOpen": True}).response()
    assert isinstance(response.body, bytes)
    assert (response.status, orjson.loads(response.body)["conflict"]) == (
        409,
        {
            "version": 7,
            "changedBy": "Bo Sand",
            "changedAt": "2026-11-22T09:30:00Z",
            "values": {"name": "Tax", "isOpen": True},
        },
    )
