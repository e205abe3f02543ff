"""Lists of ranges as operators publish them, for tests."""

import json
from datetime import datetime
from typing import Any

from domain.crawlers.ranges import RangeList
from tests.support.factories import NOON

# Ranges of Google and OpenAI, as they published them in 2026.
GOOGLE = ("66.249.64.0/27", "66.249.64.32/27", "2001:4860:4801:10::/64")
OPENAI = ("20.171.206.0/24", "52.230.152.0/24")


def published(*prefixes: str, **others: Any) -> bytes:
    rows = [{"ipv6Prefix" if ":" in prefix else "ipv4Prefix": prefix} for prefix in prefixes]
    return json.dumps({"creationTime": "2026-09-25T22:00:00.000000", "prefixes": rows, **others}).encode()


def ranges(*prefixes: str, fetched_at: datetime = NOON) -> RangeList:
    return RangeList("any", prefixes, fetched_at)
