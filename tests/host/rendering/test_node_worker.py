"""The real Node worker, frame by frame: one job in each turn, frames are read in between."""

import asyncio
import json

import pytest

from tests.host.renderer import HEAD, frame

VAT = "/course-details?course=vat-basics"
DEADLINE_S = 20.0


@pytest.fixture
async def payload_of(own_site, open_site, start_renderer):
    """`await payload_of(path)`: the job that the host sends for a page."""
    renderer = await start_renderer()
    site = await open_site(renderer.address)

    async def payload(path: str) -> bytes:
        await site.document(path)
        return json.dumps(renderer.jobs[-1].asked).encode()

    return payload


async def exchange(worker, frames: list[bytes], last: tuple[str, int]) -> list[tuple[str, int, bytes]]:
    """What the worker sends in return, up to the frame `last`. All frames are sent in one write."""
    reader, writer = await asyncio.open_unix_connection(worker.address.removeprefix("unix:"))
    received: list[tuple[str, int, bytes]] = []
    try:
        writer.write(b"".join(frames))
        async with asyncio.timeout(DEADLINE_S):
            while not received or received[-1][:2] != last:
                length, kind, number = HEAD.unpack(await reader.readexactly(HEAD.size))
                received.append((kind.decode(), number, await reader.readexactly(length - 5)))
    finally:
        writer.close()
    return received


def names(received):
    return [(kind, number) for kind, number, _ in received]


async def test_a_job_that_is_cancelled_before_its_turn_is_not_rendered(node_worker, payload_of):
    payload = await payload_of("/shop")
    jobs = [frame("J", number, payload) for number in (1, 2, 3)]
    received = await exchange(node_worker, [*jobs, frame("X", 2)], ("E", 3))
    assert names(received) == [("C", 1), ("E", 1), ("C", 3), ("E", 3)]


async def test_a_ping_is_answered_before_jobs_that_wait(node_worker, payload_of):
    payload = await payload_of("/shop")
    jobs = [frame("J", number, payload) for number in range(1, 6)]
    received = await exchange(node_worker, [*jobs, frame("P", 0)], ("E", 5))
    assert names(received)[0] == ("O", 0)
    assert json.loads(received[0][2])["jobs"] == 5


async def test_a_part_that_arrives_while_its_job_waits_is_rendered(node_worker, payload_of):
    payload = await payload_of(VAT)
    assert json.loads(payload)["deferred"] == ["reviews", "related"]
    parts = [frame("D", 2, json.dumps({"key": key, "value": None}).encode()) for key in ("reviews", "related")]
    jobs = [frame("J", number, payload) for number in (1, 2)]
    received = await exchange(node_worker, [*jobs, *parts], ("E", 2))
    assert ("E", 1) not in names(received)


async def test_a_stream_that_is_to_end_while_its_job_waits_ends(node_worker, payload_of):
    payload = await payload_of(VAT)
    received = await exchange(node_worker, [frame("J", 1, payload), frame("A", 1)], ("R", 1))
    assert json.loads(received[0][2])["message"] == "the shell was not ready in time"
