"""`scripts/bench growth [--full] [--courses N] [--orders N] [--visits N] [--keep FOLDER] [reads pages files orders
staff]`: what a shop of that size costs, beside one of 1,000 courses, 1,000 orders and 1,000 visits.

The database is filled row by row, without imports and purchases. `reads`: what pages read, in this process, with what
SQLite says of statements that scan or sort; `pages`: requests to a running host; `files`: sitemaps and product feed;
`orders`: reconciliation and export; `staff`: lists of the area of staff. Usually 100,000 courses and orders and
1,000,000 visits; with --full ten times as many, which takes some 10 GB and half an hour.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from bench.comparison import ResultLine, table
from bench.growth import pages, reads, staff
from bench.growth.shops import FULL, SMALL, USUAL, Sizes, shop_of

PARTS = ("reads", "pages", "files", "orders", "staff")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; by default all")
    parser.add_argument("--full", action="store_true", help="a million courses and orders, ten million visits")
    for name in ("courses", "orders", "visits"):
        parser.add_argument(f"--{name}", type=int, help=f"how many {name} instead")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the databases for the next run")
    options = parser.parse_args()
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(PARTS)}")
    sizes = FULL if options.full else USUAL
    given = {name: vars(options)[name] for name in ("courses", "orders", "visits")}
    sizes = replace(sizes, **{name: number for name, number in given.items() if number is not None})
    lines: list[ResultLine] = []
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cf-growth-")))
        try:
            for part in options.parts or PARTS:
                print(f"measuring {part}…", file=sys.stderr, flush=True)
                # One by one: when a measurement fails, the earlier results are still printed.
                for line in _measured(part, folder, sizes):
                    lines.append(line)  # noqa: PERF402 extend would wait for the last one
        finally:
            print(table(lines))
    return 0 if all(line.is_reached is not False for line in lines) else 1


def _measured(part: str, folder: Path, sizes: Sizes) -> Iterable[ResultLine]:
    if part in ("reads", "pages", "files"):
        small, large = shop_of(folder, courses=SMALL), shop_of(folder, courses=sizes.courses)
        if part == "reads":
            return reads.read_lines(small, large, sizes.courses)
        if part == "pages":
            return pages.page_lines(small, large, sizes.courses, SMALL)
        return [*pages.file_lines(small, f"{SMALL:,} courses"), *pages.file_lines(large, f"{sizes.courses:,} courses")]
    few = shop_of(folder, courses=SMALL, orders=SMALL, visits=SMALL)
    many = shop_of(folder, courses=sizes.courses, orders=sizes.orders, visits=sizes.visits)
    if part == "orders":
        return staff.order_lines(few, many, sizes.orders, SMALL)
    return staff.staff_lines(few, many)


if __name__ == "__main__":
    sys.exit(main())
