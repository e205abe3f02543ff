"""2,000 carts cost the same by the engine, by the browser's model and by integers of this test's own."""

import json
import subprocess
from typing import Any

import pytest

from config.settings import ROOT
from tests.domain.pricing import oracle
from tests.domain.pricing.carts import random_carts
from tests.domain.pricing.cases import quoted

CARTS = 2_000
# Reads carts from the standard input and writes their quotes.
SCRIPT = """
import { orderQuote } from './components/model/pricing/orderQuote';
const exponents = { USD: 2, JPY: 0, KWD: 3 };
const inCurrency = (code) => ({ code, exponent: exponents[code], quantum: code === 'KWD' ? 10 : 1 });
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk));
process.stdin.on('end', () => {
  const carts = JSON.parse(Buffer.concat(chunks).toString());
  const quotes = carts.map((cart) => orderQuote({ ...cart, currency: inCurrency(cart.currency) }));
  process.stdout.write(JSON.stringify(quotes));
});
"""

Json = dict[str, Any]


@pytest.fixture(scope="module")
def carts() -> list[Json]:
    return list(random_carts(CARTS))


@pytest.fixture(scope="module")
def quotes(carts: list[Json]) -> list[Json]:
    return [quoted(cart) for cart in carts]


def amounts(quote: Json) -> Json:
    totals = {line["id"]: line["total"] for line in quote["lines"]}
    sums = {name: quote.get(name, 0) for name in ("tax", "removedTax", "delivery", "total")}
    return {"lines": totals, **sums}


def test_the_engine_agrees_with_the_integers(carts, quotes):
    assert [amounts(quote) for quote in quotes] == [oracle.amounts(cart) for cart in carts]


def test_every_sum_of_a_quote_is_that_of_its_parts(carts, quotes):
    for cart, quote in zip(carts, quotes, strict=True):
        added = quote["tax"] if cart["priceMode"] == "exclusive" else -quote.get("removedTax", 0)
        parts = quote["subtotal"] - quote["discount"] + quote.get("delivery", 0) + added
        assert quote["total"] == parts == sum(line["total"] for line in quote["lines"])
        for line in quote["lines"]:
            assert line["total"] == line["steps"][0]["total"] + sum(step["change"] for step in line["steps"])
            assert sum(step.get("included", 0) for step in line["steps"]) <= line["total"]


def test_the_browser_agrees_with_the_engine(carts, quotes, tmp_path):
    bundle = tmp_path / "quotes.cjs"
    esbuild = [ROOT / "node_modules/.bin/esbuild", "--bundle", "--platform=node", "--loader=ts", f"--outfile={bundle}"]
    subprocess.run([*esbuild, "--log-level=error"], input=SCRIPT, cwd=ROOT, check=True, text=True)
    node = ["node", str(bundle)]
    result = subprocess.run(node, input=json.dumps(carts), check=True, capture_output=True, text=True)
    assert json.loads(result.stdout) == quotes
