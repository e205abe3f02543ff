"""`python -m host coupons …` and the helpers of `dev` for learners, carts and coupons."""

import argparse
import csv
import io
import json
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from config.settings import Settings
from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.coupons import queries as coupon_queries
from domain.database.database import Database
from domain.identity import sessions
from domain.tables import AuditEvent, Coupon, CouponProduct
from host.cli import coupons, dev
from tests.support import factories
from tests.support.shops import SHOP


@pytest.fixture
def shop(sqlite_database) -> Database:
    with sqlite_database.write_session() as session:
        tax = factories.category(session)
        factories.course(session, tax.id, "vat")
        factories.course(session, tax.id, "payroll")
        factories.organisation(session)
    return sqlite_database


@pytest.fixture
def run(shop, tmp_path, capsys):
    """`run(command, word, …)` -> exit status, standard output, standard error."""

    def call(command, *words: str, **settings: str) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        status = command.run(parser.parse_args(words), Settings(var_dir=tmp_path, **settings))
        output = capsys.readouterr()
        return status, output.out, output.err

    return call


def stored(shop) -> list[Coupon]:
    with shop.read_session() as session:
        return list(session.scalars(select(Coupon).order_by(Coupon.id)))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("currency", "words", "sentence"),
    [
        ("JPY", "--amount 500 --minimum 5000", ""),
        ("JPY", "--amount 5.50", "'5.50' is finer than JPY allows: prices are multiples of 1.\n"),
        ("KWD", "--amount 1.250", ""),
        ("KWD", "--percent 12.5 --minimum 1.255", "'1.255' is finer than KWD allows: prices are multiples of 0.010.\n"),
        ("JPY", "--percent 12.5", ""),
        ("USD", "--percent 12.345", "value: 12.345 is too fine: a percentage has up to two decimals.\n"),
    ],
)
def test_amounts_of_a_coupon_are_in_the_currency_of_the_shop(run, shop, currency, words, sentence):
    status, _, error = run(coupons, "create", "Spring5", *words.split(), currency=currency)
    assert (status, error, len(stored(shop))) == (int(bool(sentence)), sentence, int(not sentence))


def test_a_coupon_is_created_from_its_options(run, shop):
    words = "--amount 5 --minimum 50 --covers tax --uses 100 --per-learner 1 --campaign spring --organisation northwind"
    window = ("--from", "2026-03-01", "--until", "2026-03-31", "--product", "vat", "--product", "course:payroll")
    assert run(coupons, "create", "Spring5", *words.split(), *window) == (0, "code\r\nSpring5\r\n", "")
    (created,) = stored(shop)
    assert (created.code, created.display_code, created.kind, created.value, created.minimum) == (
        "spring5",
        "Spring5",
        "amount",
        5,
        50,
    )
    assert (created.applies_to, created.total_limit, created.learner_limit, created.state) == (
        "category",
        100,
        1,
        "active",
    )
    assert (created.starts_at, created.ends_at) == (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
    with shop.read_session() as session:
        assert session.scalar(select(func.count()).select_from(CouponProduct)) == 2


REFUSED = {
    "taken already": (("SPRING", "--percent", "10"), "There is a coupon SPRING already."),
    "over a hundred": (("A", "--percent", "101"), "value: Take off more than 0 and at most 100."),
    "nothing off": (("A", "--percent", "0"), "value: Take off more than 0 and at most 100."),
    "no such category": (
        ("A", "--percent", "1", "--covers", "law"),
        "There is no category law; a coupon covers all, course, item or a category.",
    ),
    "no such product": (
        ("A", "--percent", "1", "--product", "x"),
        "No one course or shop item is called x; write course:x or item:x.",
    ),
    "no such organisation": (("A", "--percent", "1", "--organisation", "x"), "There is no organisation x."),
    "no uses": (("A", "--percent", "1", "--uses", "0"), "limit: A limit is at least 1; leave it out for none."),
    "over before it begins": (
        ("A", "--percent", "1", "--from", "2026-03-02", "--until", "2026-03-01"),
        "ends: It must end after it begins.",
    ),
    "a formula": (
        ("=1+1", "--percent", "1"),
        "code: Write a code of 1 to 64 characters that begins with a letter or digit.",
    ),
    "too many": (("--batch", "10001", "--percent", "1"), "number: Make 1 to 10000 codes at once."),
    "an odd prefix": (
        ("--batch", "1", "--prefix", "a b", "--percent", "1"),
        "prefix: A prefix has at most 32 letters, digits and hyphens.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_options_are_refused_in_one_sentence(run, shop, name):
    run(coupons, "create", "spring", "--percent", "10")
    words, sentence = REFUSED[name]
    assert run(coupons, "create", *words) == (1, "", f"{sentence}\n")
    assert len(stored(shop)) == 1


def test_ten_thousand_codes_are_unique_and_cannot_be_misread(run, shop):
    status, output, _ = run(
        coupons, "create", "--batch", "10000", "--prefix", "spring", "--percent", "10", "--campaign", "c"
    )
    codes = [row["code"] for row in rows(output)]
    assert (status, len(codes), len({one.casefold() for one in codes})) == (0, 10_000, 10_000)
    assert all(re.fullmatch(r"SPRING-[2-9A-HJKMNP-TW-Z]{5}-[2-9A-HJKMNP-TW-Z]{5}", one) for one in codes)
    created = stored(shop)
    assert (len(created), {one.total_limit for one in created}, {one.campaign for one in created}) == (
        10_000,
        {1},
        {"c"},
    )
    assert sorted(one.display_code for one in created) == sorted(codes)


def test_a_batch_may_name_products_and_each_code_works(run, shop):
    words = ("--batch", "3", "--percent", "10", "--product", "vat", "--uses", "2")
    codes = [row["code"] for row in rows(run(coupons, "create", *words)[1])]
    with shop.read_session() as session:
        found = [coupon_queries.by_code(session, code.lower(), datetime.now(UTC)) for code in codes]
    assert [(one.total_limit, len(one.offer.products)) for one in found] == [(2, 1)] * 3


def test_codes_and_campaigns_are_paused_resumed_and_ended(run, shop):
    for code, campaign in (("A", "c"), ("B", "c"), ("D", "")):
        run(coupons, "create", code, "--percent", "1", "--campaign", campaign)
    assert run(coupons, "pause", "c")[1] == "2 coupons are paused now.\n"
    assert run(coupons, "end", " d ")[1] == "1 coupon is ended now.\n"
    assert [one.state for one in stored(shop)] == ["paused", "paused", "ended"]
    assert run(coupons, "resume", "A")[:2] == (0, "1 coupon is active now.\n")
    assert run(coupons, "pause", "nobody") == (1, "", "There is no coupon and no campaign nobody.\n")
    assert run(coupons, "resume", "d")[::2] == (1, "A coupon that is ended cannot do this.\n")
    assert actions(shop) == [*["coupon.create"] * 3, *["coupon.pause"] * 2, "coupon.end", "coupon.resume"]


def actions(shop) -> list[str]:
    """The events so far, all of a command."""
    with shop.read_session() as session:
        found = session.execute(select(AuditEvent.action, AuditEvent.area).order_by(AuditEvent.number)).all()
    assert {area for _, area in found} <= {"command"}
    return [action for action, _ in found]


def test_a_batch_is_one_event_and_the_file_of_coupons_holds_no_formula(run, shop):
    run(coupons, "create", "--batch", "3", "--prefix", "S", "--percent", "10", "--campaign", "=1+1")
    assert actions(shop) == ["coupon_batch.create"]
    assert {row["campaign"] for row in rows(run(coupons, "export")[1])} == {"'=1+1"}


def test_coupons_are_exported_and_listed(run):
    run(coupons, "create", "A", "--percent", "12.5", "--covers", "tax", "--uses", "3", "--campaign", "c")
    run(coupons, "create", "B", "--amount", "5", "--draft", "--special")
    exported = rows(run(coupons, "export")[1])
    assert [(row["code"], row["value"], row["covers"], row["uses"]) for row in exported] == [
        ("A", "12.50", "tax", "0"),
        ("B", "5.00", "all", "0"),
    ]
    assert [row["code"] for row in rows(run(coupons, "export", "--campaign", "c")[1])] == ["A"]
    assert [row["code"] for row in rows(run(coupons, "export", "--state", "draft")[1])] == ["B"]
    listed = run(coupons, "list")[1]
    assert "12.5 %" in listed
    assert "0 of 3" in listed


def test_a_token_signs_a_learner_in(run, shop):
    created = json.loads(run(dev, "token", "ada")[1])
    again = json.loads(run(dev, "token", "ADA")[1])
    name, _, cookie_secret = created["cookie"].partition("=")
    assert (name, created["AAUserID"]) == ("sid", again["AAUserID"])
    with shop.read_session() as session:
        assert (
            sessions.authenticated(session, created["accessToken"], cookie_secret, datetime.now(UTC)).learner_id
            == created["AAUserID"]
        )


def test_lines_of_carts_and_uses_of_coupons_are_counted(run, shop):
    ada = json.loads(run(dev, "token", "ada")[1])["AAUserID"]
    assert run(dev, "coupon-new", "RACE", "50")[:2] == (0, "RACE\n")
    with shop.write_session() as session:
        course = session.scalars(select(factories.Product.id)).first()
        cart_lines.add(session, ada, course, datetime.now(UTC))
        assert cart_codes.set_on_line(session, ada, course, "race", datetime.now(UTC), SHOP).price == Decimal("90.00")
    assert run(dev, "cart-count", str(ada))[1] == "1\n"
    assert run(dev, "coupon-uses", "race")[1] == "1\n"
    items = select(factories.Product.slug, factories.ShopItem.stock).join(factories.ShopItem)
    with shop.read_session() as session:
        stocks = {slug: "unlimited" if stock is None else str(stock) for slug, stock in session.execute(items)}
    assert {slug: run(dev, "stock", slug)[1].strip() for slug in list(stocks)[:3]} == dict(list(stocks.items())[:3])
    assert run(dev, "coupon-uses", "nobody") == (1, "", "There is no coupon nobody.\n")
    assert run(dev, "coupon-new", "race", "1")[0] == 1
