"""F1: writing one amount, by the host and by a page, compared with the libraries that have data of locales."""

import json
import subprocess
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

from bench.comparison import ResultLine, compare
from config.settings import ROOT
from domain import money
from domain.display_text import money_text

AMOUNTS, ROUNDS = 5_000, 9
LIMIT = 1.0


def f1() -> list[ResultLine]:
    return [_host(), _page()]


def _host() -> ResultLine:
    """Every amount for the first time: `money_text` keeps the text of known ones."""
    from babel.numbers import format_currency

    usd = money.currency("USD")
    ours: Callable[[int], str] = partial(money_text.__wrapped__, currency=usd, locale="en-US")

    def babel(minor: int) -> str:
        return format_currency(money.from_minor(minor, usd), "USD", locale="en_US")

    rounds = [(_microseconds(ours), _microseconds(babel)) for _ in range(ROUNDS)]
    figure, reference = (median(side) for side in zip(*rounds, strict=True))
    return compare(
        "F1",
        "an amount in a mail, by Babel as reference",
        LIMIT,
        (figure, f"{figure:.1f} us"),
        (reference, f"{reference:.1f} us"),
    )


def _microseconds(write: Callable[[int], str]) -> float:
    since = process_time()
    for index in range(AMOUNTS):
        write(index * 37)
    return (process_time() - since) / AMOUNTS * 1e6


def _page() -> ResultLine:
    bundle = ["node_modules/.bin/esbuild", "bench/nodeAmounts.ts", "--bundle", "--platform=node", "--log-level=error"]
    # The bundle reads contracts/locales.json from beside the components.
    script = subprocess.run(bundle, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    placed = f"__dirname = {json.dumps(str(ROOT / 'components/fixtures'))};\n{script}"
    printed = subprocess.run(["node", "-"], cwd=ROOT, input=placed, capture_output=True, text=True, check=True).stdout
    figure, reference = json.loads(printed)
    return compare(
        "F1",
        "an amount in a page, by a kept object of Intl as reference",
        LIMIT,
        (figure, f"{figure:.0f} ns"),
        (reference, f"{reference:.0f} ns"),
    )
