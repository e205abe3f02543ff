"""`python -m host attribution`: make credits anew and prove them by a SHA-256, or explain those of one order."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime

from sqlalchemy.exc import DBAPIError

from config.settings import Settings
from domain.attribution.weights import MODELS
from domain.database.database import Database, database_url
from domain.errors import ServiceUnavailable
from domain.reports import sales_lines
from domain.reports.attribution import explain, replay
from domain.reports.attribution.credit_builder import CreditDayBuilder
from domain.reports.attribution.explain import ExplainedOrder, StepVisit
from domain.reports.attribution.replay import Replay
from host.cli.arguments import day, positive
from host.cli.import_catalogue import progress_bar
from host.cli.orders.texts import decimal, print_table, time

# One run brings all days up to date: nobody waits for the next one.
RUN_S = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    again = actions.add_parser("replay", help="make the credits of paid orders anew, and print their SHA-256")
    again.description = (
        "Make the credits of all orders that were paid on these days from their paths and sales, by five models, and"
        " print one SHA-256 of them: the same wherever and whenever it is done. With another window or half-life"
        " nothing is written: the sums by channel say what would be."
    )
    again.add_argument("--from", dest="first", type=day, metavar="DAY", help="such as 2026-11-01; default the first")
    again.add_argument("--to", dest="last", type=day, metavar="DAY", help="the last day; default the newest")
    again.add_argument("--window", type=positive, metavar="DAYS", help="what if visits so long before an order counted")
    again.add_argument("--half-life", type=positive, metavar="HOURS", help="what if the model decay had this half-life")
    again.add_argument(
        "--reopen-empty",
        action="store_true",
        help="first look up again what led to orders whose closed paths have no touchpoints",
    )
    again.add_argument("--check", action="store_true", help="write nothing, and name what is stored otherwise")
    again.add_argument("--json", action="store_true", help="write JSON instead of a table")
    one = actions.add_parser("explain", help="what an order is credited to, and why")
    one.description = "Lines, path, weights and cents of one paid order, and the visits of its path."
    one.add_argument("order", metavar="ORDER", help="its code, or its name in the report")
    one.add_argument("--json", action="store_true", help="write JSON instead of tables")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0; 1 when something is stored otherwise, for an unknown order, or when other processes stored the same days; 2
    for arguments that exclude each other, or when the database cannot be used."""
    if args.action == "replay" and (refusal := _refusal(args)):
        print(refusal, file=sys.stderr)
        return 2
    database = Database(database_url(settings.database, settings.var_dir), deadline_s=60, busy_ms=60_000)
    builder = CreditDayBuilder(database, settings.day_rules, lambda: datetime.now(UTC), settings.attribution)
    try:
        return _replay(args, builder) if args.action == "replay" else _explain(args, builder)
    except ServiceUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"The database cannot be used: {error.orig}", file=sys.stderr)
        return 2
    finally:
        database.engine.dispose()


def _refusal(args: argparse.Namespace) -> str:
    if args.first and args.last and args.last < args.first:
        return f"{args.last} is before {args.first}."
    if args.check and (args.window or args.half_life):
        return "--check compares what is stored: it has no other window or half-life."
    if args.reopen_empty and (args.check or args.window or args.half_life):
        return "--reopen-empty writes: it goes with none of --check, --window and --half-life."
    return ""


def _replay(args: argparse.Namespace, builder: CreditDayBuilder) -> int:
    is_stored = not (args.check or args.window or args.half_life)
    if is_stored:
        builder.build_due(RUN_S)
    with builder.database.read_session() as session:
        days = replay.days_of(session, args.first, args.last)
    reopened = replay.reopen_empty(builder, days) if args.reopen_empty else 0
    result = _run(_steps(args, builder, days), len(days))
    for text in result.wrong:
        print(text, file=sys.stderr)
    if args.json:
        print(json.dumps(_as_json(args, days, result)))
    else:
        _print_channels(result)
        if args.reopen_empty:
            print(f"{reopened} paths without touchpoints were looked up again.")
        what = "written" if is_stored else "nothing was written"
        print(f"{result.orders} orders, {result.credits} credits on {len(days)} days; {what}.")
        print(f"SHA-256 {result.sha256}")
    return 1 if result.wrong else 0


def _steps(args: argparse.Namespace, builder: CreditDayBuilder, days: Sequence[date]) -> Iterator[Replay]:
    if args.check:
        return replay.check_days(builder, days)
    if args.window or args.half_life:
        return replay.what_if(builder, days, args.window, args.half_life)
    return replay.replay_days(builder, days)


def _run(steps: Iterator[Replay], days: int) -> Replay:
    result = Replay()
    with progress_bar("Making credits") as show:
        for number, so_far in enumerate(steps, 1):
            result = so_far
            show(number, days)
    return result


def _print_channels(result: Replay) -> None:
    """Net revenue by channel, each model beside the others."""
    rows = [
        (currency, channel, *(decimal(amounts[model], currency) for model in MODELS))
        for (currency, channel), amounts in _by_channel(result).items()
    ]
    print_table(("Currency", "Channel", *(model.capitalize() for model in MODELS)), rows)


def _by_channel(result: Replay) -> dict[tuple[str, str], dict[str, int]]:
    found: dict[tuple[str, str], dict[str, int]] = {}
    for (currency, channel, model), (amount, _) in sorted(result.channels.items()):
        found.setdefault((currency, channel), dict.fromkeys(MODELS, 0))[model] = amount
    return found


def _as_json(args: argparse.Namespace, days: Sequence[date], result: Replay) -> dict[str, object]:
    """Amounts are decimal text in major units, as everywhere on the wire of commands."""
    about = {"from": str(days[0]) if days else None, "to": str(days[-1]) if days else None}
    about |= {"window": args.window, "halfLife": args.half_life}
    sums = [
        {
            "currency": currency,
            "channel": channel,
            "model": model,
            "net": decimal(amount, currency),
            "orders": f"{milli // 1000}.{milli % 1000:03}",
        }
        for (currency, channel, model), (amount, milli) in sorted(result.channels.items())
    ]
    counts = {"orders": result.orders, "credits": result.credits, "sha256": result.sha256}
    return {**about, **counts, "wrong": result.wrong, "channels": sums}


def _explain(args: argparse.Namespace, builder: CreditDayBuilder) -> int:
    with builder.database.read_session() as session:
        order_id = sales_lines.order_of_code(session, args.order)
        by_code = None if order_id is None else explain.of_order(session, order_id)
        found = by_code or explain.of_ref(session, args.order.strip().upper())
        steps = [] if found is None else [step.step for step in found.steps]
        visits = explain.visits_of(session, steps, builder.rules)
    if found is None:
        print(
            f"There is no paid order {args.order} with a path: it has one a minute after the payment.", file=sys.stderr
        )
        return 1
    if args.json:
        print(json.dumps(_order_as_json(found, visits)))
    else:
        _print_order(found, visits)
    return 0


def _print_order(found: ExplainedOrder, visits: dict[int, StepVisit]) -> None:
    path, currency = found.path, found.currency
    state = f"closed {time(path.closed_at)}" if path.closed_at else "open: visits that are counted later may join it"
    print(
        f"Placed {time(path.placed_at)}, paid {time(path.paid_at)}, net {decimal(found.net_minor, currency)} {currency}"
    )
    print(f"Path of {path.window_days} days, half-life {path.half_life_hours} hours; {state}")
    print_table(
        ("Line", "Sold", "Net"),
        [(str(line.line_id), found.names[line.line_id], decimal(line.net_minor, currency)) for line in found.lines],
    )
    if not found.steps:
        print("Nothing that was counted led to it: its net is (not measured) by every model.")
        return
    values = ("channel", "source", "campaign", "coupon", "special", "student", "partner")
    print_table(
        ("", "At", *(name.capitalize() for name in values), "Visit"),
        [
            (
                str(one.step.position),
                time(one.step.visited_at),
                *(getattr(one.step, name) for name in values),
                _visit_text(visits[one.step.position]),
            )
            for one in found.steps
        ],
    )
    print_table(
        ("", *_of_models("weight"), *_of_models("net")),
        [
            (
                str(one.step.position),
                *(str(one.weights[model]) for model in MODELS),
                *(decimal(one.amounts[model], currency) for model in MODELS),
            )
            for one in found.steps
        ],
    )


def _of_models(what: str) -> tuple[str, ...]:
    return tuple(f"{model} {what}" for model in MODELS)


def _visit_text(visit: StepVisit) -> str:
    return visit.url or visit.missing


def _order_as_json(found: ExplainedOrder, visits: dict[int, StepVisit]) -> dict[str, object]:
    path, currency = found.path, found.currency
    about = {
        "name": path.ref,
        "placedAt": path.placed_at.isoformat(),
        "paidAt": path.paid_at.isoformat(),
        "closedAt": path.closed_at.isoformat() if path.closed_at else None,
        "windowDays": path.window_days,
        "halfLifeHours": path.half_life_hours,
        "currency": currency,
        "net": decimal(found.net_minor, currency),
    }
    lines = [
        {"line": line.line_id, "sold": found.names[line.line_id], "net": decimal(line.net_minor, currency)}
        for line in found.lines
    ]
    steps = [
        {
            **{key: value for key, value in one.step._asdict().items() if key != "visited_at"},
            "visited_at": one.step.visited_at.isoformat(),
            "visit": visits[one.step.position].url or None,
            "missing": "" if visits[one.step.position].url else visits[one.step.position].missing,
            "weights": one.weights,
            "net": {model: decimal(one.amounts[model], currency) for model in MODELS},
        }
        for one in found.steps
    ]
    return {**about, "lines": lines, "path": steps}
