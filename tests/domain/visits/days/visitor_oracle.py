"""Touchpoints and learners of a day in the plainest way, from visits that know what they are of (month.py)."""

from tests.domain.visits.days import oracle

SOURCE = ["channel", "source", "campaign", "term", "content", "referrer"]


def sessions_of(visits, start, end):
    """The sessions that may be people's, each with its visits of the evening before."""
    today = sorted((v for v in visits if start <= v["at"] < end and not v["area"]), key=in_order)
    for name in sorted({v["session"] for v in today if v["session"]}):
        own = [v for v in today if v["session"] == name]
        for part in oracle.cut(own):
            if oracle.traffic_class(part, len(own)) not in ("bot", "crawler"):
                yield part, oracle.earlier_of(visits, part, name, start), oracle.traffic_class(part, len(own))


def in_order(visit):
    return visit["at"], visit["event_id"]


def touchpoints_of(visits, start, end):
    """Event id -> all that is stored of the touchpoint beside times and session."""
    rows = {}
    for part, earlier, kind in sessions_of(visits, start, end):
        for number, v in enumerate(part):
            before, so_far = held([*earlier, *part[:number]]), held([*earlier, *part[: number + 1]])
            brings = [n for n in oracle.VALUES if v[n] not in ("", "(unknown)") and so_far[n] != before[n]]
            if brings or (number == 0 and not earlier):
                landing = ([w for w in part[number:] if not w["link"]] or [v])[0] if v["link"] else v
                about = [v[n] for n in SOURCE] + list(so_far.values()) + [landing["path"], landing["product"]]
                rows[v["event_id"]] = (*about, v["learner"] is None, kind)
    return rows


def held(visits):
    """The last value of each field that names a row of ours."""
    values = {}
    for n in oracle.VALUES:
        sent = [v[n] for v in visits if v[n]]
        known = [value for value in sent if value != "(unknown)"]
        values[n] = known[-1] if known else "(unknown)" if sent else "(none)"
    return values


def learners_of(visits, start, end):
    return sorted({v["learner"] for v in visits if start <= v["at"] < end and not v["area"] and v["learner"]})


def owner_of(visits, event_id):
    """The learner of the next proved visit of the session, whenever that is."""
    (visit,) = (v for v in visits if v["event_id"] == event_id)
    same = [v for v in visits if v["session"] == visit["session"] and v["learner"] and not v["area"]]
    later = sorted((v for v in same if in_order(v) >= in_order(visit)), key=in_order)
    return later[0]["learner"] if later else None
