"""POST /order/{code} with `do=gift-mail`: the mail of a gift once more, without script."""

import pytest
from sqlalchemy import func, select

from domain.tables import Outbox
from tests.host.checkout.orders import browser
from tests.host.forms.test_order import key_of, post
from tests.host.learning.gifts import CODE, give
from tests.host.signing import learner

ORDER = f"/order/{CODE}"


@pytest.fixture
def ada(own_site):
    who = learner(own_site)
    give(own_site, who)
    return who


def mails(site) -> int:
    with site.db.read_session() as session:
        return session.scalars(select(func.count(Outbox.id))).one()


async def test_the_mail_is_sent_again_and_the_page_says_so(own_site, ada):
    headers, before = browser(own_site, ada), mails(own_site)
    fields = {"do": "gift-mail", "line": "1", "key": await key_of(own_site, ORDER, headers)}
    status, _, body = await post(own_site, ORDER, fields, headers)
    page = body.partition('id="no-script">')[2]
    assert (status, mails(own_site)) == (200, before + 1)
    assert "We have written to grace@example.test again." in page
    assert "A gift for grace@example.test. Not accepted yet." in page


async def test_a_form_without_its_key_or_of_no_gift_sends_nothing(own_site, ada):
    headers, before = browser(own_site, ada), mails(own_site)
    key = await key_of(own_site, ORDER, headers)
    for fields, expected in (({"line": "1"}, 422), ({"line": "2", "key": key}, 404), ({"line": "x", "key": key}, 404)):
        assert (await post(own_site, ORDER, {"do": "gift-mail", **fields}, headers))[0] == expected
    assert mails(own_site) == before
