"""The fast path of SetAAUserTraceLog: the same rows and answers as the ordinary path, which takes what is unusual."""

import asyncio
import json
import random
from uuid import UUID, uuid4

import pytest

from domain.errors import ServiceUnavailable
from domain.visits.served_documents import COUNTS
from host.api import registry, visits
from host.api.body import parse_json
from host.api.visits import PATH, TraceLog, reported_visit
from host.http.problems import RateLimited
from host.http.request_counts import REQUEST_COUNTS
from host.http.server import FAST_PATHS
from host.messaging.visit_queue import VISIT_QUEUE
from tests.host.site import CHROME, SHARED
from tests.support.waiting import DEADLINE_S, until

pytestmark = SHARED

BROWSER = {
    "EventID": "019341f2-7c1a-7abc-8def-0123456789ab",
    "LoginEmail": "",
    "AAUserID": 0,
    "CouponID": "",
    "SessionID": "0b0e7a52-6a0c-4d4e-9c3e-8f6b1a2c3d4e",
    "Stunum": "",
    "SpecialCouponID": "",
    "Url": "/shop?page=2&utm_source=news",
    "Referrer": "https://search.example/",
    "Load": "first",
}
VALUES = [
    *("", "0", "7", "é📚", "x" * 100, "a\\b", 'a"b', "\u0007", "\x7f", "\u2028", "{}", "null"),
    *(0, 7, -1, 2**53 - 1, 2**53, 1.0, 1.5, True, None, [], {}, "\ud800"),
]
URLS = ["/", "/shop?q=" + "x" * 3000, "/shop?token=x", "/email-verify/s3cret", "/course-details?course=old", "nowhere"]
HEADERS = [{}] * 8 + [
    {"Sec-GPC": "1"},
    {"DNT": "1"},
    {"Cookie": "partner=northwind"},
    {"Cookie": "referral=5b2f6f0e-8d1c-4b1e-9c7a-0123456789ab"},
    {"Cookie": "referral=nonsense; partner=UPPER"},
    {"User-Agent": "curl/8.5.0"},
    {"User-Agent": "Googlebot/2.1"},
    {"Origin": "https://evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Content-Type": "application/json; charset=utf-8"},
    {"Content-Type": "text/plain"},
]
FORMS = 10_000


def changed_body(chance: random.Random) -> bytes:
    """A body as the browser sends it, with some changes."""
    body = {**BROWSER, "EventID": str(UUID(int=chance.getrandbits(128)))}
    body["Url"] = chance.choice(URLS)
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        name = chance.choice([*BROWSER, "Colour"])
        if chance.random() < 0.3:
            body.pop(name, None)
        else:
            body[name] = chance.choice(VALUES)
    text = json.dumps(body, ensure_ascii=chance.random() < 0.2).encode("utf-8", "surrogatepass")
    return text if chance.random() < 0.9 else torn(text, chance)


def torn(text: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(text))
    return chance.choice([
        text[:at],
        text[:at] + b"\x00" + text[at:],
        text[:-1] + b',"Url":"/again"}',
        text[:-1] + b',"AAUserID":1}',
        text + b" ",
        b"[" + text + b"]",
        b"\xef\xbb\xbf" + text,
        b"",
    ])  # fmt: skip


@pytest.fixture
def kept(site, monkeypatch) -> list[list]:
    """The rows that are enqueued, without their time. A database would make thousands of visits slow."""
    rows: list[list] = []

    async def keep(row) -> None:
        # The pages that the site has served are counted in rows of their own, once a minute.
        if COUNTS not in row:
            rows.append([*row[:1], *row[2:]])

    monkeypatch.setattr(site.app[VISIT_QUEUE], "enqueue", keep)
    return rows


async def answer_of(site, body: bytes, headers: dict[str, str]) -> tuple:
    sent = {"Content-Type": "application/json", "User-Agent": CHROME, **headers}
    response = await site.client.post(PATH, data=body, headers=sent)
    return response.status, await response.read(), stable(response.headers)


def stable(headers) -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in headers.items() if name.lower() not in ("x-request-id", "date"))


async def both(site, kept, monkeypatch, body: bytes, headers: dict[str, str]) -> tuple[tuple, tuple]:
    """Answer and rows by the fast path and without it. An event id that the host makes is left out."""
    found = []
    for is_fast in (True, False):
        with monkeypatch.context() as patch:
            if not is_fast:
                patch.delitem(site.app[FAST_PATHS], PATH)
            kept.clear()
            status, text, sent = await answer_of(site, body, headers)
        made = kept[0][0] if kept and kept[0][0].encode() not in body.lower() else ""
        rows = [["made" if value == made else value for value in row] for row in kept]
        found.append((status, text.replace(made.encode(), b"made") if made else text, sent, rows))
    return tuple(found)


async def test_rows_and_answers_are_those_of_the_ordinary_path(site, kept, monkeypatch):
    chance, taken = random.Random(7), 0
    for _ in range(FORMS // 20):
        body, headers = changed_body(chance), chance.choice(HEADERS)
        fast, ordinary = await both(site, kept, monkeypatch, body, headers)
        assert fast == ordinary, (body, headers)
        taken += visits._read(body) is not None
    # The comparison is of both paths, not of one with itself.
    assert FORMS // 20 * 0.3 < taken < FORMS // 20 * 0.9


async def test_what_the_fast_path_reads_of_a_body_is_what_the_ordinary_path_reads():
    chance, taken = random.Random(11), 0
    for _ in range(FORMS):
        body = changed_body(chance)
        visit = visits._read(body)
        if visit is not None:
            taken += 1
            assert visit == reported_visit(TraceLog.model_validate(parse_json(body)))
    assert FORMS * 0.3 < taken < FORMS * 0.9


@pytest.fixture
def without_ordinary_path(monkeypatch) -> None:
    async def fail(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the ordinary path reads the body")

    monkeypatch.setattr(registry, "read_model", fail)


async def test_a_body_of_our_browser_takes_the_fast_path_and_others_the_ordinary_one(site, kept, without_ordinary_path):
    body = json.dumps(BROWSER).encode()
    assert (await answer_of(site, body, {}))[:2] == (202, b'{"Status":"success","EventID":"%b"}' % kept[0][0].encode())
    assert (await answer_of(site, body.replace(b": 0", b": null"), {}))[0] == 500
    assert len(kept) == 1


@pytest.mark.parametrize("error", [ServiceUnavailable("Too many visits at once."), RateLimited(7)], ids=["503", "429"])
async def test_a_visit_that_is_not_accepted_gets_the_answer_of_the_ordinary_path(site, kept, monkeypatch, error):
    async def refuse(_row) -> None:
        raise error

    monkeypatch.setattr(site.app[VISIT_QUEUE], "enqueue", refuse)
    fast, ordinary = await both(site, kept, monkeypatch, json.dumps(BROWSER).encode(), {})
    assert fast == ordinary
    assert (fast[0], dict(fast[2])["Retry-After"]) in ((503, "5"), (429, "7"))


async def test_a_body_that_comes_after_its_head_takes_the_ordinary_path(site, kept):
    body = json.dumps(BROWSER).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:9])
    await writer.drain()
    writer.write(body[9:])
    assert (await reader.read()).startswith(b"HTTP/1.1 202 ")
    writer.close()
    assert [row[0] for row in kept] == [BROWSER["EventID"]]


async def test_bytes_in_the_user_agent_that_are_no_text_are_left_out(site):
    body = json.dumps({**BROWSER, "EventID": str(uuid4())}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    agent = b"User-Agent: \xff\xe9App/1.0 CFNetwork/897.15 Darwin/17.5.0\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n".encode() + agent + b"\r\n" + body)
    assert (await asyncio.wait_for(reader.read(), DEADLINE_S)).startswith(b"HTTP/1.1 202 ")
    writer.close()
    await until(lambda: [visit.agent for visit in site.visits() if visit.event_id == json.loads(body)["EventID"]])
    assert {visit.agent for visit in site.visits() if visit.event_id == json.loads(body)["EventID"]} == {"App"}


async def test_the_fast_path_counts_and_logs_as_the_ordinary_one(site, kept, caplog):
    caplog.set_level("INFO", "coursefront.access")
    before = site.app[REQUEST_COUNTS].by_status["call", 202]
    answer = await site.answer("SetAAUserTraceLog", BROWSER)
    (record,) = [record for record in caplog.records if getattr(record, "path", "") == PATH]
    assert (record.method, record.status, answer.headers["X-Frame-Options"]) == ("POST", 202, "DENY")
    assert site.app[REQUEST_COUNTS].by_status["call", 202] == before + 1
    assert len(answer.headers["X-Request-Id"]) == 16
