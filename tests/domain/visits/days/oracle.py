"""The figures of a day in the plainest way, from visits that know what they are of (month.py). It shares no code with
the product."""

from collections import defaultdict
from datetime import timedelta
from itertools import pairwise
from statistics import median, pstdev

NAMES = ["visits", "sessions", "confirmed", "possible", "bounces", "timed_sessions", "seconds"]
STEPS = ["visit", "product", "cart", "checkout", "order", "payment"]
NAMES += STEPS[1:]
SOURCE, VALUES = (
    ["channel", "source", "campaign", "referrer", "engine", "assistant"],
    ["coupon", "special", "student", "partner"],
)
IDLE, PEOPLE = timedelta(minutes=30), ("proven", "likely", "uncertain")


def day_of(visits, start, end, keys):
    """(dimension, audience, key) -> figures, of the visits from `start` to before `end`."""
    rows, groups = [], []
    today = sorted((v for v in visits if start <= v["at"] < end), key=lambda v: (v["at"], v["event_id"]))
    rows += [("area", traffic_class([v], 1), v["area"], {"visits": 1}) for v in today if v["area"]]
    shown = [v for v in today if not v["area"]]
    for name in sorted({v["session"] for v in shown if v["session"]}):
        own = [v for v in shown if v["session"] == name]
        groups += [(part, own, earlier_of(visits, part, name, start)) for part in cut(own)]
    for part, own, earlier in groups:
        rows += session_rows(part, traffic_class(part, len(own)), earlier)
    for v in (v for v in shown if not v["session"]):
        kind, one = traffic_class([v], 1), {"visits": 1}
        rows += [("all", kind, "(all)", one), ("agent", kind, v["agent"], one), ("device", kind, v["device"], one)]
        rows += [(name, kind, "(without session)", one) for name in [*SOURCE, "landing", *VALUES]]
        rows += [(name, kind, v[name], one) for name in ("page", "path", "product") if v[name]]
    return summed(rows, keys)


def cut(own):
    starts = [i for i, v in enumerate(own) if i == 0 or v["at"] - own[i - 1]["at"] > IDLE]
    return [own[a:b] for a, b in zip(starts, [*starts, len(own)][1:], strict=True)]


def earlier_of(visits, part, name, start):
    """The session of the day before that goes on in this one."""
    before = [v for v in visits if v["session"] == name and start - timedelta(days=1) <= v["at"] < start]
    last = cut(sorted((v for v in before if not v["area"]), key=lambda v: (v["at"], v["event_id"])))[-1:]
    goes_on = last and part[0]["at"] - start <= IDLE and part[0]["at"] - last[0][-1]["at"] <= IDLE
    return last[0] if goes_on else []


def traffic_class(part, count):
    gaps = [(b["at"] - a["at"]).total_seconds() for a, b in pairwise(part)]
    if part[0]["kind"] == "crawler":
        return "crawler"
    if any(v["learner"] or v["order"] for v in part):
        return "proven"
    points = 20 * any(v["script"] for v in part) - 70 * any(v["kind"] == "suspected" for v in part)
    points -= 60 * any(v["probe"] for v in part) + 30 * (count > 300)
    points -= 45 * (
        (len(part) >= 10 and median(gaps) < 2.5)
        or any(sum(timedelta() <= w["at"] - v["at"] <= timedelta(minutes=10) for w in part) > 60 for v in part)
    )
    points -= 30 * (len(gaps) >= 8 and pstdev(gaps) < sum(gaps) / len(gaps) / 10)
    points += 10 * (sum(5 <= gap <= 600 for gap in gaps) >= 2)
    return "likely" if points >= 22 else "uncertain" if points >= 0 else "doubtful" if points >= -21 else "bot"


def session_rows(part, kind, earlier):
    counted = {"sessions": 1, "confirmed": kind in ("proven", "likely"), "possible": kind in (*PEOPLE, "doubtful")}
    orders = [v["order"] for v in part if v["order"]]
    far = max(STEPS.index(word) for word in [*orders, *(v["step"] for v in part)])
    whole = {"visits": len(part), **counted, **{name: far >= STEPS.index(name) for name in STEPS[1:]}}
    whole["bounces"], whole["timed_sessions"] = len(part) == 1 and not orders, len(part) > 1
    whole["seconds"] = int((part[-1]["at"] - part[0]["at"]).total_seconds())
    first, values = (earlier or part)[0], [*earlier, *part][::-1]
    landing = ([v for v in part if not v["link"]] or part)[0]["path"]
    keys = {"all": "(all)", "landing": landing, "agent": part[0]["agent"], "device": part[0]["device"]}
    keys |= {name: first[name] for name in SOURCE}
    for name in VALUES:
        given = [v[name] for v in values if v[name]]
        keys[name] = next((key for key in given if key != "(unknown)"), "(unknown)" if given else "(none)")
    rows = [(name, kind, key, whole) for name, key in keys.items()]
    seen = [(name, v[name]) for v in part for name in ("page", "path", "product") if v[name]]
    return rows + [
        (name, kind, key, {"visits": seen.count((name, key)), **counted, "of": id(part)}) for name, key in {*seen}
    ]


def summed(rows, keys):
    visits, sums, seen = defaultdict(int), defaultdict(lambda: dict.fromkeys(NAMES, 0)), set()
    for name, _, key, figures in rows:
        visits[name, key] += figures["visits"]
    for name, kind, key, figures in rows:
        better = sum(n == name and (-count, k) < (-visits[name, key], key) for (n, k), count in visits.items())
        audience = "people" if kind in PEOPLE else "crawlers" if kind == "crawler" else "suspected"
        place = (name, audience, key if better < keys else "(other)")
        again = "of" in figures and (*place, figures["of"]) in seen
        seen.add((*place, figures.get("of")))
        for word in NAMES:
            sums[place][word] += int(figures.get(word, 0)) * (not again or word == "visits")
    return {place: [figures[word] for word in NAMES] for place, figures in sums.items()}
