"""P6: the cost of accepting a visit compared with a POST without a queue, and with visits that cost more than usual.

V1 and V2 of the brief are these lines: all of them are of one run, in turns.
"""

from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from bench.client import AGENT, Load
from bench.comparison import ResultLine, Turn, compare, cpu_ms, measure_loads
from bench.processes import Side, Site, site
from bench.references import aiohttp_bytes, post_mem, post_plain
from domain.database.database import Database, database_url
from domain.identity import learners, sessions
from domain.identity.learners import Identity

PATH = "/api/SetAAUserTraceLog"
URL = "/course-details?course=cross-border-vat"
BODY = (
    '{"EventID":"{uuid}","LoginEmail":"","AAUserID":0,"CouponID":"","SessionID":"0b0e7a52-6a0c-4d4e-9c3e-8f6b1a2c3d4e",'
    f'"Stunum":"","SpecialCouponID":"","Url":"{URL}"}}'
)
REQUESTS = 6000
# Visits are batched for 50 ms: with fewer connections, the wait and small batches would be measured.
CONCURRENCY = 400
VISIT = Load(0, PATH, REQUESTS, CONCURRENCY, BODY, 202)
PAGE = "/robots.txt"
# With limits on, the limits are raised beyond reach: only the counting is measured.
LIFTED = {"VISITS_PER_SESSION_MINUTE": "1000000", "VISITS_PER_ADDRESS_MINUTE": "10000000"}


def p6() -> list[ResultLine]:
    """Host CPU on both sides. The worker's CPU belongs to storing, which has a line of its own."""
    with ExitStack() as stack:
        off = stack.enter_context(site("host", LIMITS="off"))
        on = stack.enter_context(site("host", LIMITS="on", **LIFTED))
        host, limited = off.process_group("host"), on.process_group("host")
        loads: dict[str, tuple[Side, Load]] = {
            "usual": (host, VISIT),
            "limits": (limited, VISIT),
            "sessions": (limited, _of_new_sessions(VISIT)),
            "signed in": (host, _of_signed_in(VISIT, off)),
            "new": (host, _of_new_pages(VISIT)),
            "rare": (host, replace(VISIT, rare_body=BODY.replace('"Url"', '"Screen":"1280x720","Url"'))),
            "post-mem": (stack.enter_context(post_mem()), VISIT),
            "post-plain": (stack.enter_context(post_plain()), VISIT),
            "bytes": (stack.enter_context(aiohttp_bytes(off.port, PAGE)), Load(0, PAGE, REQUESTS, CONCURRENCY)),
        }
        with_ports = [(side, replace(load, port=side.port)) for side, load in loads.values()]
        turns = dict(zip(loads, measure_loads(with_ports, warm_up_requests=2000), strict=True))
    return _lines(turns)


def _lines(turns: dict[str, list[Turn]]) -> list[ResultLine]:
    def line(what: str, limit: float, name: str, reference: str, reference_name: str) -> ResultLine:
        figure, base = cpu_ms(turns[name]), cpu_ms(turns[reference])
        texts = f"{figure * 1000:.0f} us", f"{base * 1000:.0f} us {reference_name}"
        return compare("P6", what, limit, (figure, texts[0]), (base, texts[1]))

    usual = "accept a visit, LIMITS=off, host CPU"
    return [
        _without_goal(line(usual, 1.25, "usual", "post-mem", "post-mem")),
        line(f"V1 {usual}", 1.25, "usual", "post-plain", "post-plain"),
        line(f"V1 {usual}", 1.3, "usual", "bytes", "aiohttp-bytes"),
        _per_core(turns["usual"]),
        line("V2 the same, LIMITS=on", 1.08, "limits", "usual", "LIMITS=off"),
        _without_goal(line("the same, 90 % of new sessions", 1.08, "sessions", "usual", "LIMITS=off")),
        line("V2 signed in", 1.3, "signed in", "usual", "a guest"),
        line("V2 90 % of new addresses and agents", 1.4, "new", "usual", "the usual ones"),
        line("V2 1 % of bodies with another key", 1.04, "rare", "usual", "none"),
    ]


def _without_goal(line: ResultLine) -> ResultLine:
    return replace(line, goal="(for comparison)", is_reached=None)


def _per_core(turns: list[Turn]) -> ResultLine:
    rate = 1000 / cpu_ms(turns)
    seen = max(REQUESTS / turn.seen.seconds for turn in turns)
    what = f"V1 visits per second of host CPU ({seen:,.0f}/s seen)"
    return ResultLine("P6", what, ">= 10,000/s", f"{rate:,.0f}/s", "", None, rate >= 10_000)


def _of_new_sessions(load: Load) -> Load:
    return replace(load, body=load.body.replace("8f6b1a2c3d4e", "{new}"))


def _of_new_pages(load: Load) -> Load:
    return replace(load, body=load.body.replace(URL, "/course-details?course={new}"), agent=f"{AGENT} {{new}}")


def _of_signed_in(load: Load, running: Site) -> Load:
    db = Database(database_url(None, running.var_dir))
    now = datetime.now(UTC)
    with db.write_session() as session:
        learner = learners.create(session, Identity("https://id.example", "visitor"), now)
        opened = sessions.open_session(session, learner.id, now)
    db.engine.dispose()
    return replace(load, cookie=f"sid={opened.cookie_secret}", bearer=opened.token)
