"""What a learner has bought besides courses: on the dashboard and in a list of its own."""

from datetime import timedelta

from domain.tables import File, ItemFile, ShopItem, VoucherCode
from tests.host.learning.test_user_dashboard import view_of
from tests.host.signing import learner
from tests.host.site import Site
from tests.support import order_rows
from tests.support.factories import NOON

CODE = "BADECUFIGOHAKELIMONU"
FILES = ("tables.epub", "tables.pdf")


def buy(site: Site, learner_id: int, **about: object) -> None:
    """An order with a course, a book to download and two vouchers, of which one was taken back; and its delivery."""
    with site.db.write_session() as session:
        order = order_rows.order(session, learner_id, CODE, **about)
        order_rows.order_line(session, order.id, 1, product_id=site.id_of("vat-basics"), name="VAT basics")
        item_id = site.id_of("tax-tables")
        session.get_one(ShopItem, item_id).fulfilment = "download"
        order_rows.order_line(session, order.id, 2, product_id=item_id, fulfilment="download", name="Tax tables")
        vouchers = order_rows.order_line(session, order.id, 3, fulfilment="code", name="Exam voucher", quantity=2)
        order_rows.order_line(session, order.id, 4, kind="delivery", name="Standard")
        for number, void_at in ((1, None), (2, NOON)):
            code = VoucherCode(
                line_id=vouchers.id, number=number, code=f"EXAM-{number}", issued_at=NOON, void_at=void_at
            )
            session.add(code)
        for number, name in enumerate(FILES):
            facts = {"media_type": "application/pdf", "bytes": 1000 + number, "kind": "download", "created_at": NOON}
            file = File(sha256=f"{number}" * 64, name=name, **facts)
            session.add(file)
            session.flush()
            session.add(ItemFile(item_id=item_id, file_id=file.id, position=number))


async def test_files_and_codes_of_paid_orders_are_on_the_dashboard_and_in_their_list(own_site):
    ada = learner(own_site)
    buy(own_site, ada.id)
    _, view = await view_of(own_site, ada)
    book, voucher = view["dashboard"]["materials"]
    assert (book["name"], book["href"], book["codes"]) == ("Tax tables", f"/order/{CODE}", [])
    assert book["files"] == [
        {"name": name, "href": f"/order-files/{CODE}/2/{number}", "bytes": 999 + number}
        for number, name in enumerate(FILES, start=1)
    ]
    assert (voucher["name"], voucher["files"]) == ("Exam voucher", [])
    assert voucher["codes"] == [{"code": "EXAM-1", "stateText": "Not used yet", "isUsed": False}]
    status, listed = await view_of(own_site, ada, "?list=materials")
    assert (status, listed["materials"], listed["pages"]) == (200, [book, voucher], 1)
    shown = (await own_site.document("/user-dashboard", **ada.headers)).html.partition('id="no-script">')[2]
    assert f'<a href="/order-files/{CODE}/2/1" download>tables.epub</a>' in shown
    assert "<code>EXAM-1</code>" in shown


async def test_orders_say_what_was_bought(own_site):
    ada = learner(own_site)
    buy(own_site, ada.id)
    with own_site.db.write_session() as session:
        later = order_rows.order(session, ada.id, "A" * 20, placed_at=NOON + timedelta(days=1))
        order_rows.order_line(session, later.id, name="Contracts")
    _, view = await view_of(own_site, ada)
    assert [order["what"] for order in view["dashboard"]["orders"]] == ["Contracts", "VAT basics and 2 more"]


async def test_an_order_that_is_not_paid_and_a_stranger_have_none(own_site):
    ada, grace = learner(own_site), learner(own_site, "Grace Hopper")
    buy(own_site, ada.id, state="placed", paid_at=None)
    for who in (ada, grace):
        _, view = await view_of(own_site, who)
        assert view["dashboard"]["materials"] == []
