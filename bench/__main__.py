"""`scripts/bench [p1 p2 …]`: the figures of performance with their references, measured in turns in the same run."""

import sys
from collections.abc import Callable

from bench import coupons, footprint, growth, identity, kept, pages, search, visits
from bench.comparing import Line, table

GOALS: dict[str, Callable[[], list[Line]]] = {
    "p1": pages.p1,
    "p2": pages.p2,
    "p3": pages.p3,
    "p4": kept.p4,
    "p5": kept.p5,
    "p6": visits.p6,
    "p7": coupons.p7,
    "p8": footprint.p8,
    "p9": growth.p9,
    "search": search.lines,
    "identity": identity.lines,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in GOALS]
    if unknown:
        print(f"There is no {unknown[0]}; there are {', '.join(GOALS)}, faults and lighthouse.", file=sys.stderr)
        return 2
    lines: list[Line] = []
    try:
        for name in names or GOALS:
            print(f"measuring {name}…", file=sys.stderr)
            lines += GOALS[name]()
    finally:
        # What was measured before something failed has been measured all the same.
        print(table(lines))
    return 0 if all(line.is_reached is not False for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
