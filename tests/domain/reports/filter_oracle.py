"""Figures of visits that fit some filters, in the plainest way: each day's sessions one by one. It shares no code with
the product; sessions and their classes are those of the oracle of days."""

from collections import Counter, defaultdict

from tests.domain.visits.days import oracle

PLACES = ("page", "path", "product")
# Days that were looked at, each with its visits, so that no other visits get their id.
_DAYS = {}


def units_of(visits, start, end):
    """Sessions, and visits without one, of a day: the traffic class, the value of each dimension, its figures, and the
    places of its visits."""
    today = sorted((v for v in visits if start <= v["at"] < end), key=lambda v: (v["at"], v["event_id"]))
    shown = [v for v in today if not v["area"]]
    for name in sorted({v["session"] for v in shown if v["session"]}):
        own = [v for v in shown if v["session"] == name]
        for part in oracle.cut(own):
            kind = oracle.traffic_class(part, len(own))
            rows = oracle.session_rows(part, kind, oracle.earlier_of(visits, part, name, start))
            keys = {dimension: key for dimension, _, key, _ in rows if dimension not in PLACES}
            yield kind, keys, next(figures for dimension, _, _, figures in rows if dimension == "all"), part
    for v in (v for v in shown if not v["session"]):
        names = [*oracle.SOURCE, "landing", *oracle.VALUES]
        keys = dict.fromkeys(names, "(without session)") | {"agent": v["agent"], "device": v["device"]}
        yield oracle.traffic_class([v], 1), keys, {"visits": 1}, [v]


def figures_by(visits, days, filters, by, most):
    """(audience, key of `by`) -> figures of the sessions and visits that fit. `by` "": of all."""
    found = defaultdict(lambda: dict.fromkeys(oracle.NAMES, 0))
    for start, end in days:
        if (id(visits), start, most) not in _DAYS:
            units = list(units_of(visits, start, end))
            _DAYS[id(visits), start, most] = visits, units, folded_names(units, most)
        _, units, names = _DAYS[id(visits), start, most]
        for kind, given, figures, part in units:
            keys = {name: names[name, key] for name, key in given.items() if name != "all"}
            places = [{name: names[name, v[name]] for name in PLACES} for v in part]
            if any(keys[name] != value for name, value in filters if name in keys):
                continue
            chosen = [(name, value) for name, value in filters if name in PLACES]
            if not chosen and by not in PLACES:
                add(found[kind, keys.get(by, "")], figures)
                continue
            fitting = [place for place in places if all(place[name] == value for name, value in chosen)]
            counts = Counter(place[by] if by in PLACES else keys.get(by, "") for place in fitting)
            for key, count in counts.items():
                if key or by not in PLACES:
                    once = {name: figures.get(name, 0) for name in ("sessions", "confirmed", "possible")}
                    add(found[kind, key], {"visits": count, **once})
    return summed_by_audience(found)


def add(sums, figures):
    for name, amount in figures.items():
        if name in sums:
            sums[name] += int(amount)


def folded_names(units, most):
    """Each value of each dimension -> itself when it is among the most visited ones of the day, else "(other)"."""
    visits = Counter()
    for _, keys, figures, part in units:
        visits.update(dict.fromkeys(keys.items(), figures["visits"]))
        visits.update((name, v[name]) for v in part for name in PLACES)
    names = {}
    for (name, key), count in visits.items():
        better = sum(n == name and k != "" and (-c, k) < (-count, key) for (n, k), c in visits.items())
        names[name, key] = key if better < most or key == "" else "(other)"
    return names


def summed_by_audience(found):
    sums = defaultdict(lambda: dict.fromkeys(oracle.NAMES, 0))
    for (kind, key), figures in found.items():
        audience = "people" if kind in oracle.PEOPLE else "crawlers" if kind == "crawler" else "suspected"
        add(sums[audience, key], figures)
    return {name: list(figures.values()) for name, figures in sums.items() if any(figures.values())}
