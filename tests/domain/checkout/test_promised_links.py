"""A link that a program makes for a person: its list and sale prices hold for a day, to the cent of the order."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from domain.cart import lines as cart_lines
from domain.cart import views as cart_views
from domain.cart.owners import Owner, RequestedLine
from domain.checkout import cart_contents, cart_links, checkout_form, purchase
from domain.checkout import quote as checkout_quote
from domain.checkout.cart_links import MergeSource
from domain.checkout.differences import Seen
from domain.checkout.placement import OrderRequest
from domain.checkout.purchase import PlaceForm, PurchaseTerms
from domain.errors import InvalidInput
from domain.orders.settings import Context
from domain.pricing import engine, quote_reader
from domain.tables import CartLine, CartLink, Order, OrderLine, Product, ShopItem
from tests.domain.orders import selling
from tests.domain.orders.selling import SETTINGS
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
AGENT = "ChatGPT-User"


@pytest.fixture
def category(session):
    return factories.category(session).id


@pytest.fixture
def book(session, category):
    """20.00, on sale for 15.00 until two hours from now."""
    ends = NOON + 2 * HOUR
    prices = {"list_price": Decimal(20), "sale_price": Decimal(15), "sale_until": ends}
    return factories.item(session, category, **prices, detail={"stock": 9, "fulfilment": "download"})


def priced(session, learner_id, at):
    view = cart_views.learner_cart(session, learner_id, at, SHOP)
    return [(line.product.id, line.priced.unit_price, line.priced.total) for line in view.lines]


def checkout(session, learner_id, at):
    """What the order would be: the lines that it would freeze, and its document."""
    contents = cart_contents.read(session, learner_id, {}, SHOP, at)
    wanted = OrderRequest(learner_id, "k" * 36, Seen(), contents.lines, {"country": "US"}, products=contents.products)
    return checkout_quote.price(session, wanted, SHOP, at)


@pytest.mark.each_database
def test_a_promised_price_is_that_of_cart_and_order_until_the_day_is_over(session, book):
    ada = factories.learner(session)
    secret, [line] = cart_links.create_promised(session, [RequestedLine(book.id, 2)], AGENT, NOON)
    assert (line.promise.unit, line.total) == (Decimal(15), Decimal(30))
    assert cart_links.take_over(session, ada.id, secret, NOON + 3 * HOUR)[0].outcome == "added"
    for at, total in ((NOON + 3 * HOUR, 30), (NOON + DAY - timedelta(seconds=1), 30), (NOON + DAY, 40)):
        assert priced(session, ada.id, at) == [(book.id, Decimal(total) / 2, Decimal(total))]
        order = checkout(session, ada.id, at)
        assert (order.subtotal_minor, order.lines[0].total_minor) == (total * 100, total * 100)
        assert (order.lines[0].agent, order.lines[0].list_minor) == (AGENT, 2000)
        inputs, quote = quote_reader.from_json(order.document)
        assert engine.price(inputs) == quote
        assert inputs.lines[0].promised_until == (None if total == 40 else NOON + DAY)


def test_a_list_price_that_rises_is_kept_and_one_that_falls_is_better(session, category):
    ada = factories.learner(session)
    course = factories.course(session, category, list_price=Decimal(100))
    secret, _ = cart_links.create_promised(session, [RequestedLine(course.id)], AGENT, NOON)
    cart_links.take_over(session, ada.id, secret, NOON)
    for now, pays in ((150, 100), (100, 100), (60, 60), (0, 0)):
        course.list_price = Decimal(now)
        session.flush()
        assert priced(session, ada.id, NOON + HOUR) == [(course.id, Decimal(pays), Decimal(pays))]


def test_a_coupon_takes_off_the_promised_price(session, book):
    ada, coupon = factories.learner(session), factories.coupon(session, "TEN")
    secret, _ = cart_links.create_promised(session, [RequestedLine(book.id)], AGENT, NOON)
    cart_links.take_over(session, ada.id, secret, NOON)
    line = session.query(CartLine).one()
    line.coupon_id = coupon.id
    session.flush()
    assert priced(session, ada.id, NOON + 3 * HOUR)[0][2] == Decimal("13.50")


def test_a_link_has_no_coupon_and_reserves_nothing(session, book):
    cart_links.create_promised(session, [RequestedLine(book.id, 9)], AGENT, NOON)
    row = session.query(CartLink).one()
    assert (row.coupon_id, row.agent, row.lines) == (None, AGENT, [[book.id, 9]])
    cart_links.create_promised(session, [RequestedLine(book.id, 9)], AGENT, NOON)


@pytest.mark.parametrize("status", ["draft", "scheduled", "retired"])
def test_what_is_not_sold_is_refused_by_its_line_and_no_link_is_made(session, category, book, status):
    hidden = factories.course(session, category, "hidden", name="Hidden", status=status)
    soldout = factories.item(session, category, "none", name="None", detail={"stock": 0})
    wanted = [(book.id, 1), (hidden.id, 1), (10**12, 1), (soldout.id, 1), (book.id, 2)]
    with pytest.raises(InvalidInput) as refused:
        cart_links.create_promised(session, [RequestedLine(*pair) for pair in wanted], AGENT, NOON)
    unknown = "This is not in the shop. It may have been withdrawn."
    assert refused.value.errors == {
        "lines.1": "Hidden is no longer sold." if status == "retired" else unknown,
        "lines.2": unknown,
        "lines.3": "None is sold out.",
        "lines.4": cart_links.TWICE,
    }
    assert session.query(CartLink).count() == 0


def test_what_is_bought_once_is_in_a_link_once_and_more_than_there_is_is_refused(session, category, book):
    course = factories.course(session, category)
    _, [line] = cart_links.create_promised(session, [RequestedLine(course.id, 5)], AGENT, NOON)
    assert (line.quantity, line.total) == (1, line.promise.unit)
    with pytest.raises(InvalidInput) as refused:
        cart_links.create_promised(session, [RequestedLine(book.id, 10)], AGENT, NOON)
    assert list(refused.value.errors) == ["lines.0"]
    many = [RequestedLine(number) for number in range(21)]
    with pytest.raises(InvalidInput) as refused:
        cart_links.create_promised(session, many, AGENT, NOON)
    assert refused.value.errors == {"lines": cart_links.TOO_MANY}


def test_a_link_says_what_has_changed(session, category, book):
    names = ("kept", "cheaper", "out", "gone", "lost")
    kept, cheaper, out, gone, lost = (
        factories.item(session, category, name, name=name.title(), list_price=Decimal(10), detail={"stock": 3})
        for name in names
    )
    lines = [RequestedLine(item.id, 2) for item in (kept, cheaper, out, gone, lost, book)]
    secret, _ = cart_links.create_promised(session, lines, AGENT, NOON)
    link = cart_links.read(session, secret, NOON)
    assert cart_links.changes(session, link, None, SHOP, NOON) == []
    kept.list_price, cheaper.list_price = Decimal(12), Decimal(8)
    session.get_one(ShopItem, out.id).stock = 0
    gone.status, lost.status = "retired", "draft"
    session.flush()
    assert cart_links.changes(session, link, None, SHOP, NOON + HOUR) == [
        "Kept costs 12.00 by now. This link keeps 10.00.",
        "Cheaper costs less by now: 8.00 instead of 10.00.",
        "Out is sold out.",
        "Gone is no longer sold.",
        cart_links.GONE,
    ]


def test_only_lines_of_the_link_are_promised_and_only_to_who_has_it(session, category, book):
    ada, eve = factories.learner(session), factories.learner(session, "eve")
    other = factories.item(session, category, "other", list_price=Decimal(10))
    secret, _ = cart_links.create_promised(session, [RequestedLine(book.id)], AGENT, NOON)
    lines = [RequestedLine(book.id), RequestedLine(other.id)]
    cart_links.merge(session, ada.id, lines, MergeSource(secret=secret), NOON)
    cart_links.merge(session, eve.id, lines, MergeSource(secret="x" * 22), NOON)
    other.list_price = Decimal(12)
    session.flush()
    assert [unit for _, unit, _ in priced(session, ada.id, NOON + 3 * HOUR)] == [Decimal(15), Decimal(12)]
    assert [unit for _, unit, _ in priced(session, eve.id, NOON + 3 * HOUR)] == [Decimal(20), Decimal(12)]


def test_a_second_link_does_not_raise_a_promise(session, book):
    ada = factories.learner(session)
    first, _ = cart_links.create_promised(session, [RequestedLine(book.id)], AGENT, NOON)
    later = NOON + 3 * HOUR
    second, _ = cart_links.create_promised(session, [RequestedLine(book.id)], "other", later)
    for secret in (first, second):
        cart_links.take_over(session, ada.id, secret, later)
    assert priced(session, ada.id, later)[0][1] == Decimal(15)
    # When the lower one has ended, the line has the other.
    cart_links.take_over(session, ada.id, second, NOON + DAY)
    book.list_price = Decimal(25)
    session.flush()
    assert priced(session, ada.id, NOON + DAY)[0][1] == Decimal(20)


def test_the_price_that_was_seen_is_the_promised_one_until_it_ends(session, book):
    ada, later = factories.learner(session), NOON + 3 * HOUR
    secret, _ = cart_links.create_promised(session, [RequestedLine(book.id)], AGENT, NOON)
    cart_links.take_over(session, ada.id, secret, later)
    [line] = cart_views.learner_cart(session, ada.id, later, SHOP).lines
    assert (line.seen_price, line.product.price(later), line.product.promised_until) == (15, 15, NOON + DAY)
    cart_lines.mark_prices_seen(session, ada.id, {book.id: Decimal(15)}, later)
    [line] = cart_views.learner_cart(session, ada.id, NOON + DAY, SHOP).lines
    assert (line.seen_price, line.product.price(NOON + DAY)) == (15, 20)


def test_a_guest_sees_the_promised_prices_on_the_page_of_the_link(session, book):
    secret, _ = cart_links.create_promised(session, [RequestedLine(book.id)], AGENT, NOON)
    link, later = cart_links.read(session, secret, NOON), NOON + 3 * HOUR
    view = cart_views.guest_cart(session, Owner(), link.lines, later, SHOP, None, link.promised)
    assert [line.priced.unit_price for line in view.lines] == [Decimal(15)]
    assert (link.promised_until, link.agent) == (NOON + DAY, AGENT)


VALUES = {"billing.name": "Ada Lovelace", "billing.country": "US", "buyer": "private"}
TERMS = PurchaseTerms(SHOP, "2026-01-01")


@pytest.mark.each_database
def test_an_order_freezes_the_promised_price_to_the_cent_and_says_whose_link_it_was(session):
    world = selling.fill(session)
    voucher = session.get_one(Product, world.voucher)
    voucher.list_price = Decimal("89.99")
    session.flush()
    secret, [line] = cart_links.create_promised(session, [RequestedLine(voucher.id, 3)], AGENT, NOON)
    voucher.list_price = Decimal("95.00")
    session.flush()
    cart_links.take_over(session, world.learner, secret, NOON)
    form, late = PlaceForm("key-1", Seen(), VALUES, terms=TERMS.date), Context(NOON + DAY, SETTINGS)
    form = replace(form, seen=checkout_form.read(session, world.learner, SHOP, SETTINGS, NOON).quoted.price.seen)
    # Whoever looked in time and presses too late is asked again, at today's price.
    [changed, *_] = purchase.place_cart(session, world.learner, form, TERMS, late).differences
    assert (changed.before, changed.after) == (26997, 28500)
    placed = purchase.place_cart(session, world.learner, form, TERMS, Context(NOON + HOUR, SETTINGS))
    [ordered] = session.query(OrderLine).filter_by(order_id=placed.order_id)
    order = session.get_one(Order, placed.order_id)
    assert line.total == Decimal("269.97")
    assert (ordered.list_minor, ordered.unit_minor, ordered.quantity, ordered.agent) == (8999, 8999, 3, AGENT)
    assert order.subtotal_minor == 26997
    inputs, quote = quote_reader.from_json(order.quote)
    assert (engine.price(inputs), inputs.lines[0].promised_until) == (quote, NOON + DAY)
