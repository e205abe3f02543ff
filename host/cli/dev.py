"""`python -m host dev …`: inspect a running development site. Refuses to run in production."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from config.settings import Settings
from domain import cart, coupons
from domain.database.database import Database, database_url
from domain.errors import DomainError, NotFound
from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.visits import visits
from host.auth.sessions import session_cookie_name


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
    helpers.add_parser("cart-count", help="count the lines of a learner's cart").add_argument("learner", type=int)
    new = helpers.add_parser("coupon-new", help="create a coupon of 10 percent off everything")
    new.add_argument("code")
    new.add_argument("uses", type=int)


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
    now = datetime.now(UTC)
    subject = args.name.strip().casefold()
    identity = Identity(learners.DEVELOPMENT_ISSUER, subject, args.name.strip().title(), f"{subject}@example.test")
    with db.write_session() as session:
        opened = sessions.open_session(session, learners.create(session, identity, now).id, now)
    cookie = f"{session_cookie_name(settings)}={opened.cookie_secret}"
    return json.dumps({"accessToken": opened.token, "AAUserID": opened.learner_id, "cookie": cookie})


def _coupon_uses(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    now = datetime.now(UTC)
    with db.read_session() as session:
        terms = coupons.by_code(session, args.code, now)
        if terms is None or terms.id is None:
            raise NotFound(f"There is no coupon {args.code}.")
        return coupons.active_uses(session, terms.id, now)


def _cart_count(db: Database, args: argparse.Namespace, _settings: Settings) -> int:
    with db.read_session() as session:
        return cart.lines.count(session, args.learner)


def _coupon_new(db: Database, args: argparse.Namespace, _settings: Settings) -> str:
    draft = coupons.CouponDraft("percent", Decimal(10), total_limit=args.uses)
    with db.write_session() as session:
        return coupons.create(session, args.code, draft, datetime.now(UTC)).display_code


_HELPERS: dict[str, Callable[[Database, argparse.Namespace, Settings], object]] = {
    "trace-count": _trace_count,
    "traces": _traces,
    "token": _token,
    "coupon-uses": _coupon_uses,
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
