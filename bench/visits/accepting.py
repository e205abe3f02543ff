"""P6: the cost of accepting a visit compared with a POST without a queue."""

from bench.client import Load
from bench.comparison import ResultLine, Turn, compare, cpu_ms, measure_alternately
from bench.processes import site
from bench.references import post_mem

PATH = "/api/SetAAUserTraceLog"
BODY = (
    '{"EventID":"{uuid}","LoginEmail":"","AAUserID":0,"CouponID":"","SessionID":"0b0e7a52-6a0c-4d4e-9c3e-8f6b1a2c3d4e",'
    '"Stunum":"","SpecialCouponID":"","Url":"/course-details?course=cross-border-vat"}'
)
REQUESTS = 6000
# Visits are batched for 50 ms: with fewer connections, the wait and small batches would be measured.
CONCURRENCY = 400


def p6() -> list[ResultLine]:
    return [_measure_accepting("off", REQUESTS), _per_core(), _measure_accepting("on", REQUESTS)]


def _load(requests: int) -> Load:
    return Load(0, PATH, requests, CONCURRENCY, BODY, 202)


def _measure_accepting(limits: str, requests: int) -> ResultLine:
    """Host CPU on both sides. The worker's CPU belongs to storing, which has a line of its own."""
    # With limits on, the limits are raised beyond reach: only the counting is measured.
    lifted = {"VISITS_PER_SESSION_MINUTE": "1000000", "VISITS_PER_ADDRESS_MINUTE": "10000000"}
    with site("host", LIMITS=limits, **lifted) as ours, post_mem() as theirs:
        sides = (ours.process_group("host"), theirs)
        own, reference = measure_alternately(sides, _load(requests), warm_up_requests=2000)
    figure, base = cpu_ms(own), cpu_ms(reference)
    goal = 1.25 if limits == "off" else float("inf")
    line = compare(
        "P6",
        f"accept a visit, LIMITS={limits}, host CPU",
        goal,
        (figure, f"{figure * 1000:.0f} us"),
        (base, f"{base * 1000:.0f} us post-mem"),
    )
    return (
        line
        if limits == "off"
        else ResultLine("P6", line.what, "(for comparison)", line.figure, line.reference, line.ratio, None)
    )


def _per_core() -> ResultLine:
    with site("host", LIMITS="off") as ours:
        turns = measure_alternately((ours.process_group("host"),), _load(REQUESTS), warm_up_requests=2000)[0]
    rate = 1000 / cpu_ms(turns)
    seen = max(_rate(turn) for turn in turns)
    what = f"visits per second of host CPU ({seen:,.0f}/s seen)"
    return ResultLine("P6", what, ">= 10,000/s", f"{rate:,.0f}/s", "", None, rate >= 10_000)


def _rate(turn: Turn) -> float:
    return REQUESTS / turn.seen.seconds
