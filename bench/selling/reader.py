"""One client that reads a path of several servers in turn, at a steady pace, for as long as something else goes on.

`python -m bench.selling.reader PATH PORT…` prints "ready", reads until its standard input ends, and prints the p95 of
each server's first byte in ms as JSON.
"""

import asyncio
import http.client
import json
import select
import sys
import time
from collections.abc import Awaitable
from statistics import quantiles

# Between the beginnings of two reads. A read that takes longer delays the next.
PACE_S = 0.004
WARM_UP = 50
DEADLINE_S = 30.0


async def read_meanwhile(path: str, ports: list[int], work: Awaitable[None]) -> list[float]:
    """p95 of the first byte of each server, in ms, from the beginning of `work` to its end. Raises RuntimeError when
    an answer was not 200."""
    command = [sys.executable, "-m", "bench.selling.reader", path, *map(str, ports)]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        await process.stdout.readline()
        await work
    finally:
        process.stdin.close()
        text = await process.stdout.read()
        await process.wait()
    if process.returncode:
        raise RuntimeError(f"{path} could not be read")
    p95s: list[float] = json.loads(text)
    return p95s


def main(path: str, ports: list[int]) -> None:
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S) for port in ports]
    for connection in connections * WARM_UP:
        _first_byte_ms(connection, path)
    print("ready", flush=True)
    times: list[list[float]] = [[] for _ in ports]
    due, turn = time.monotonic(), 0
    while not select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
        due = max(due + PACE_S, time.monotonic())
        times[turn].append(_first_byte_ms(connections[turn], path))
        turn = (turn + 1) % len(ports)
    print(json.dumps([quantiles(side, n=20)[-1] for side in times]))


def _first_byte_ms(connection: http.client.HTTPConnection, path: str) -> float:
    began = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    first = time.perf_counter()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
    return (first - began) * 1000


if __name__ == "__main__":
    main(sys.argv[1], [int(port) for port in sys.argv[2:]])
