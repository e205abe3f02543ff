"""`scripts/bench soak [--minutes N] [--database sqlite|mariadb] [--write]`; with --drill the restore of a copy instead.
Exit status 1 when something is wrong."""

import argparse
import asyncio
import subprocess
import sys

from bench.soak import drill, report, run


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="default 60; of the drill: 1")
    parser.add_argument("--database", choices=("sqlite", "mariadb"), default="mariadb")
    parser.add_argument("--write", action="store_true", help="write the page of this database in docs, with its charts")
    parser.add_argument("--drill", action="store_true", help="copy the shop under load, restore the copy, and compare")
    args = parser.parse_args(words)
    subprocess.run(["node", "ssr/build/build.mjs"], check=True)
    if args.drill:
        lines, wrong = asyncio.run(drill.run(args.database))
    else:
        result = asyncio.run(run.run(args.database, args.minutes))
        lines, wrong = _summary(result), result.wrong
        if args.write:
            lines.append(f"written: {report.write_page(result)}")
    for line in [*lines, *(f"WRONG: {text}" for text in wrong)]:
        print(line, flush=True)
    print("FAILS" if wrong else "holds", flush=True)
    return 1 if wrong else 0


def _summary(result: run.SoakResult) -> list[str]:
    return [
        f"{result.kind}, {result.minutes:g} min, {result.rate:.0f} of {result.capacity:.0f} requests a second",
        *("  ".join(row) for row in result.answers.rows()),
        *(f"{name}: {value}" for name, value in result.facts.items()),
        "faults: " + ", ".join(f"{name} {times}" for name, times in result.faults.items()),
        f"memory in the last third: {result.watched.growth():.3f} x",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
