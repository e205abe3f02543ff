"""`python -m host dev …`: inspect a running development site. Refuses to run in production."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.error import URLError

from sqlalchemy.orm import Session

from config.settings import Settings
from domain import cart
from domain.catalogue.stock import stock_of
from domain.coupons import create as coupon_create
from domain.coupons import queries as coupon_queries
from domain.coupons.create import CouponDraft
from domain.database.database import Database, database_url
from domain.errors import DomainError, NotFound, Refused
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.orders.explanation import order_rows
from domain.visits import visits
from host.auth.sessions import session_cookie_name
from host.cli.arguments import integer
from host.cli.dev import learning, orders


def add_arguments(parser: argparse.ArgumentParser) -> None:
    helpers = parser.add_subparsers(dest="helper", required=True, metavar="HELPER")
    helpers.add_parser("pids", help="print the process ids of the running site as JSON")
    for name, about in (("trace-count", "count the stored visits of a session"), ("traces", "print them as JSON")):
        helpers.add_parser(name, help=about).add_argument("session")
    token = helpers.add_parser("token", help="sign a learner in, created if unknown, and print the tokens as JSON")
    token.add_argument("name")
    helpers.add_parser("coupon-uses", help="count the committed uses and active reservations of a coupon").add_argument(
        "code"
    )
    helpers.add_parser("stock", help="print how many pieces of a shop item can still be sold").add_argument("slug")
    for name, about in (
        ("enrol", "give a learner a course, and print where they study it"),
        ("progress", "print how far a learner is in a course, as JSON"),
    ):
        study = helpers.add_parser(name, help=about)
        study.add_argument("name")
        study.add_argument("slug")
    order = helpers.add_parser("order", help="order and pay: print {code, state, total} as JSON, total in minor units")
    order.add_argument("name")
    order.add_argument("slugs", nargs="+", metavar="SLUG", help="a product; repeated: several pieces of it")
    order.add_argument(
        "--card", default=orders.CARD, metavar="N", help="a test card or IBAN of the stand-in; none: do not pay"
    )
    helpers.add_parser("order-state", help="print the state of an order").add_argument("code")
    helpers.add_parser("ledger", help="print what the stand-in of the payment gateway has really charged, as JSON")
    helpers.add_parser("cart-count", help="count the lines of a learner's cart").add_argument("learner", type=integer)
    new = helpers.add_parser("coupon-new", help="create a coupon of 10 percent off everything")
    new.add_argument("code")
    new.add_argument("uses", type=integer)


def run(args: argparse.Namespace, settings: Settings) -> int:
    if settings.is_production:
        print("python -m host dev is for development; APP_ENV is production.", file=sys.stderr)
        return 2
    if args.helper == "pids":
        return _pids(settings)
    db = Database(database_url(settings.database, settings.var_dir), deadline_s=10, busy_ms=10_000)
    try:
        print(_HELPERS[args.helper](db, args, settings))
    except DomainError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        db.engine.dispose()
    return 0


def _trace_count(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    with db.read_session() as session:
        return visits.count_of_session(session, args.session)


def _traces(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.read_session() as session:
        return json.dumps([trace(visit) for visit in visits.of_session(session, args.session)], ensure_ascii=False)


def _token(db: Database, args: argparse.Namespace, settings: Settings) -> str:
    """Token and session cookie of a new sign-in, as headers take them."""
    with db.write_session() as session:
        opened = sessions.open_session(session, _learner(session, args.name).id, datetime.now(UTC))
    cookie = f"{session_cookie_name(settings)}={opened.cookie_secret}"
    return json.dumps({"accessToken": opened.token, "AAUserID": opened.learner_id, "cookie": cookie})


def _learner(session: Session, name: str) -> Any:
    """The seeded learner of this name, created if unknown."""
    subject = name.strip().casefold()
    identity = Identity(learners.DEVELOPMENT_ISSUER, subject, name.strip().title(), f"{subject}@example.test")
    return learners.create(session, identity, datetime.now(UTC))


def _coupon_uses(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    now = datetime.now(UTC)
    with db.read_session() as session:
        terms = coupon_queries.by_code(session, args.code, now)
        if terms is None or terms.id is None:
            raise NotFound(f"There is no coupon {args.code}.")
        return coupon_queries.active_uses(session, terms.id, now)


def _stock(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.read_session() as session:
        stock = stock_of(session, args.slug)
        return "unlimited" if stock is None else str(stock)


def _order(db: Database, args: argparse.Namespace, settings: Settings) -> str:
    with db.write_session() as session:
        learner_id = _learner(session, args.name).id
    return orders.place_and_pay(db, learner_id, args.slugs, args.card, settings)


def _enrol(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.write_session() as session:
        return learning.enrol(session, _learner(session, args.name), args.slug)


def _progress(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.write_session() as session:
        return learning.progress(session, _learner(session, args.name), args.slug)


def _order_state(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    with db.read_session() as session:
        return order_rows.order_by_code(session, args.code).state


def _charges(_db: Database, _args: argparse.Namespace, settings: Settings) -> str:
    try:
        return json.dumps(orders.call_standin(settings, "/dev/ledger"))
    except URLError as error:
        raise Refused(f"The stand-in of the payment gateway does not answer: {error.reason}") from error


def _cart_count(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    with db.read_session() as session:
        return cart.lines.count(session, args.learner)


def _coupon_new(db: Database, args: argparse.Namespace, settings: Settings) -> str:
    draft = CouponDraft("percent", Decimal(10), settings.shop.currency, total_limit=args.uses)
    with db.write_session() as session:
        return coupon_create.create(session, args.code, draft, datetime.now(UTC)).display_code


_HELPERS: dict[str, Callable[[Database, argparse.Namespace, Settings], object]] = {
    "trace-count": _trace_count,
    "traces": _traces,
    "token": _token,
    "coupon-uses": _coupon_uses,
    "stock": _stock,
    "enrol": _enrol,
    "progress": _progress,
    "order": _order,
    "order-state": _order_state,
    "ledger": _charges,
    "cart-count": _cart_count,
    "coupon-new": _coupon_new,
}


def _pids(settings: Settings) -> int:
    path = settings.var_dir / "pids.json"
    if not path.exists():
        print(f"No site runs on {settings.var_dir}; start it with scripts/run.", file=sys.stderr)
        return 1
    print(path.read_text())
    return 0


def trace(visit: visits.StoredVisit) -> dict[str, Any]:
    """A stored visit as JSON, with the specification's names where it has them."""
    return {
        "EventID": visit.event_id,
        "At": visit.visited_at.isoformat(),
        "SessionID": visit.session_id,
        "AAUserID": visit.learner_id or 0,
        "ClaimedAAUserID": visit.claimed_id or 0,
        "CouponID": visit.coupon_id,
        "Stunum": visit.student_number,
        "SpecialCouponID": visit.special_coupon,
        "Url": visit.url,
        "Page": visit.page,
        "Campaign": visit.campaign,
        "Referrer": visit.referrer,
        "ReferralID": visit.referral_id or "",
        "Partner": visit.partner,
        "Class": visit.visitor_class,
        "Source": visit.source,
        "Agent": visit.agent,
        "Address": visit.address,
    }
