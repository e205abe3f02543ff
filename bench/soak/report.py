"""The page of a run in docs: its figures as tables, its course as charts."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.soak.charts import Band, Series, line_chart
from bench.soak.run import LEAST_JUDGED_MIN, SoakResult
from bench.soak.state import KINDS, MAX_GROWTH
from bench.soak.traffic import VISITS_SHARE
from config.settings import ROOT
from tests.support.faults.answers import Answers
from tests.support.faults.pages import quantiles

DOCS = ROOT / "docs"
# The span of a point of the charts.
SPAN_S = 10.0
_COUNTS = ("requests", "number", "refused (429, 503)", "connection broke")
ANSWERS_HEAD = (*_COUNTS, "median ms", "p95 ms", "most ms", "deadline s")


def write_page(result: SoakResult, docs: Path = DOCS) -> Path:
    """The page of the run's database and its charts; returns its path."""
    name = f"soak-{result.kind.lower()}"
    (docs / "images").mkdir(exist_ok=True)
    for chart, svg in charts(result).items():
        (docs / "images" / f"{name}-{chart}.svg").write_text(svg, "utf-8")
    path = docs / f"{name}.md"
    path.write_text(page(result, name), "utf-8")
    return path


def page(result: SoakResult, name: str) -> str:
    """The page in Markdown. `name`: of its charts."""
    held = "Everything held." if not result.wrong else "What was wrong:"
    wrong = [f"- {line}" for line in result.wrong[:20]]
    head = [
        f"# A soak on {result.kind}",
        "",
        f"Written by `scripts/bench soak --database {result.kind.lower()} --minutes {result.minutes:g} --write`;"
        ' what is done and judged: [testing.md](testing.md), "The hour of everything".',
        "",
        _about(result),
        "",
        held,
        "",
        *([*wrong, ""] if wrong else []),
    ]
    return "\n".join([*head, *_answers(result, name), *_accepted(result), *_faults_and_memory(result, name)])


def _about(result: SoakResult) -> str:
    return (
        f"{result.minutes:g} minutes on {result.kind}, ended {result.at:%Y-%m-%d %H:%M} UTC, on two cores that load and"
        f" shop share. Reading: {result.rate:.0f} requests a second, half of the {result.capacity:.0f} that the shop"
        " could do before. Beside it four learners bought without a pause, one studied, an editor sent pictures, and"
        f" visits were reported at {VISITS_SHARE:g} of the rate of reading."
    )


def _answers(result: SoakResult, name: str) -> list[str]:
    return [
        "## Answers",
        "",
        *_table(ANSWERS_HEAD, result.answers.rows()),
        "",
        "A part that is away allows refusals, and a host that is killed broken connections; a fault that holds up"
        " answers may add its length to the deadline.",
        "",
        f"![Slowest twentieth of answers, by kind](images/{name}-answers.svg)",
        "",
        f"![Answers a second](images/{name}-rate.svg)",
        "",
    ]


def _accepted(result: SoakResult) -> list[str]:
    return [
        "## What was accepted",
        "",
        *_table(("what", "number"), list(result.facts.items())),
        "",
        "Compared afterwards: charges, orders, documents, reservations, uses of the coupon, the gateway's books and"
        " each price computed again; visits, lessons and pictures one by one.",
        "",
    ]


def _faults_and_memory(result: SoakResult, name: str) -> list[str]:
    growth = f"{result.watched.growth():.3f} times what they took in the second"
    return [
        "## Faults",
        "",
        *_table(("fault", "times"), [(fault, str(times)) for fault, times in result.faults.items()]),
        "",
        "## Memory",
        "",
        *_table(("processes", "median MB (PSS)"), [(kind, f"{result.watched.median_mb(kind):,.0f}") for kind in KINDS]),
        "",
        f"Host, renderers and workers in the last third of the run: {growth} (goal ≤ {MAX_GROWTH:g}, judged from"
        f" {LEAST_JUDGED_MIN:g} minutes on).",
        "",
        f"![Memory](images/{name}-memory.svg)",
        "",
    ]


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows)]


def charts(result: SoakResult) -> dict[str, str]:
    """Name -> SVG."""
    seconds, began = result.minutes * 60, result.answers.began
    bands = [Band(window.name, window.began - began, window.ended - began) for window in result.answers.windows]
    slow = _by_span(result.answers, seconds)
    memory = {kind: [(at, found[kind]) for at, found in result.watched.memory if at <= seconds] for kind in KINDS}
    return {
        "answers": line_chart("p95 of answers, seconds; red: a fault", slow, bands, seconds=seconds),
        "rate": line_chart("answers a second; red: a fault", _rates(result.answers, seconds), bands, seconds=seconds),
        "memory": line_chart("memory by kind of process, MB (PSS); red: a fault", memory, bands, seconds=seconds),
    }


def _spans(answers: Answers, seconds: float) -> dict[str, dict[float, list[float]]]:
    """Kind -> middle of a span -> how long its answers took."""
    found: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers.all:
        at = answer.began - answers.began
        if 0 <= at < seconds and answer.status:
            found[answer.kind][(at // SPAN_S + 0.5) * SPAN_S].append(answer.took_s)
    return found


def _by_span(answers: Answers, seconds: float) -> dict[str, Series]:
    found = _spans(answers, seconds)
    return {
        kind: [(at, list(quantiles(times))[1]) for at, times in sorted(spans.items())]
        for kind, spans in sorted(found.items())
    }


def _rates(answers: Answers, seconds: float) -> dict[str, Series]:
    found = _spans(answers, seconds)
    return {
        kind: [(at, len(times) / SPAN_S) for at, times in sorted(spans.items())]
        for kind, spans in sorted(found.items())
    }
