"""Batches of visits that only a newer worker can read: they wait in Redis for one (docs/contracts.md, "visits")."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contracts import payloads
from contracts.payloads import NewerPayload, UnknownKind, VisitBatch
from contracts.redis_keys import NEWER_BATCHES, UNKNOWN_KINDS
from workers.app import redis

# Maximum per run, which must end well before the next one.
MAX_BATCHES = 50


@dataclass(frozen=True)
class SetAside:
    """A batch that workers of an older build set aside: in the hash `key` under `name`."""

    key: str
    name: str
    batch: str
    payload: Any


def set_aside(batch: str, payload: Any, reason: NewerPayload) -> None:
    """Set a batch aside that only a newer worker can read, until one stores it. Raises RedisError."""
    key, needs = (
        (UNKNOWN_KINDS, reason.kind) if isinstance(reason, UnknownKind) else (NEWER_BATCHES, str(reason.version))
    )
    redis().hset(key, f"{needs}:{batch}", json.dumps(payload))


def set_aside_batches() -> list[SetAside]:
    """The batches that were set aside and that this build can read. Raises RedisError."""
    by_version = _set_aside_in(NEWER_BATCHES, lambda version: int(version.partition(":")[0]) <= VisitBatch.v)
    return by_version + _set_aside_in(UNKNOWN_KINDS, lambda kind: kind in payloads.VISIT_KINDS)


def _set_aside_in(key: str, is_readable: Callable[[str], bool]) -> list[SetAside]:
    names = [str(name).rpartition(":") for name in redis().hkeys(key)]
    readable = [(needs + colon + batch, batch) for needs, colon, batch in names if is_readable(needs)][:MAX_BATCHES]
    texts = redis().hmget(key, [name for name, _ in readable]) if readable else ()
    pairs = zip(readable, texts, strict=True)
    return [SetAside(key, name, batch, json.loads(text)) for (name, batch), text in pairs if text is not None]


def remove_set_aside(batch: SetAside) -> None:
    redis().hdel(batch.key, batch.name)
