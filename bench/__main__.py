"""`scripts/bench [--full] [--mariadb] [p1 p2 …]`: performance results and their references, measured alternately in one
run. The areas (a1, a3) and v4 are measured on a tenth of the rows that their goals are about; with --full on all of
them. With --mariadb those of ON_MARIADB have their site on MariaDB; without names all of these are measured."""

import sys
from collections.abc import Callable

from bench import (
    amounts,
    catalogue_size,
    coupons,
    first_paint,
    footprint,
    identity,
    measured_database,
    page_cache,
    pages,
    product_feed,
)
from bench.comparison import ResultLine, table
from bench.learning import certificates, changes, weights
from bench.learning import pages as learning_pages
from bench.search import timing
from bench.selling import checkout, documents, many_orders, orders, rush, webhooks
from bench.staff import area_parts, areas, lists, many_rows, organisations, tenants
from bench.visits import (
    accepting,
    attribution,
    days,
    import_log,
    knowledge_reports,
    reports,
    sale_reports,
    spooling,
    storing,
)
from bench.walks import courses as course_walks

FULL_OPTION = "--full"
GOALS: dict[str, Callable[[], list[ResultLine]]] = {
    "p1": pages.p1,
    "p2": pages.p2,
    "p3": pages.p3,
    "p4": page_cache.p4,
    "p5": page_cache.p5,
    "f1": amounts.f1,
    "p6": accepting.p6,
    "p7": coupons.p7,
    "p8": footprint.p8,
    "p9": catalogue_size.p9,
    "v3": storing.v3,
    "v4": storing.v4,
    "v5": spooling.v5,
    "r1": reports.r1,
    "r1reports": sale_reports.r1reports,
    "r1knowledge": knowledge_reports.r1_knowledge,
    "r2": days.r2,
    "r3": import_log.r3,
    "r4": attribution.r4,
    "p10": course_walks.p10,
    "p11": product_feed.p11,
    "c1": orders.c1,
    "c2": checkout.c2,
    "c3": webhooks.c3,
    "c4": rush.c4,
    "c5": many_orders.c5,
    "c6": documents.c6,
    "l1": learning_pages.l1,
    "l2": learning_pages.l2,
    "l3": learning_pages.l3,
    "l4": changes.l4,
    "l5": weights.l5,
    "l6": certificates.l6,
    "a1": lists.a1,
    "a2": organisations.a2,
    "a3": areas.a3,
    "a4": area_parts.a4,
    "a5": area_parts.a5,
    "a6": area_parts.a6,
    "a7": areas.a7,
    "a8": tenants.a8,
    "search": timing.lines,
    "identity": identity.lines,
    # Last: it needs the registry the first time.
    "p12": first_paint.p12,
}

ON_MARIADB = ("p10", "c1", "c2", "c3", "c4", "l1", "l2", "l3", "l4")


def main(arguments: list[str]) -> int:
    names = [name for name in arguments if name not in (FULL_OPTION, measured_database.OPTION)]
    if FULL_OPTION in arguments:
        many_rows.CHOSEN.sizes = many_rows.FULL
    known = list(GOALS)
    if measured_database.OPTION in arguments:
        measured_database.CHOSEN.is_mariadb = True
        known = list(ON_MARIADB)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"There is no {unknown[0]}; there are {', '.join(known)}, faults and lighthouse.", file=sys.stderr)
        return 2
    lines: list[ResultLine] = []
    try:
        for name in names or known:
            print(f"measuring {name}…", file=sys.stderr)
            lines += GOALS[name]()
    finally:
        # When a measurement fails, the earlier results are still printed.
        print(table(lines))
    return 0 if all(line.is_reached is not False for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
