"""Orders of learners on a site of a test, and visitors who look at them."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from domain.checkout.priced import RequestedItem
from domain.tables import Learner as LearnerRow
from domain.tables import Order, Payment
from host.checkout.return_cookie import RETURN_ENTRIES, ReturnEntry, cookie_name
from tests.domain.orders import selling
from tests.host.signing import Learner
from tests.host.site import CHROME, Site

UNKNOWN = "BADECUFIGOHAKELIMONA"
RETURN_AGE = timedelta(minutes=180)


def place(ada: Learner, *slugs: str, at: datetime | None = None) -> str:
    """The code of a placed order of these products, a course unless others are named."""
    site = ada.site
    lines = [RequestedItem(site.id_of(slug)) for slug in slugs or ("vat-basics",)]
    with site.db.write_session() as session:
        # The receipt goes there.
        session.get_one(LearnerRow, ada.id).email = f"{ada.id}@example.test"
        return selling.buy(session, ada.id, *lines, at=at or datetime.now(UTC)).code


def open_page(site: Site, code: str) -> None:
    """As if the gateway had opened the page of its payment."""
    with site.db.write_session() as session:
        payment = session.query(Payment).join(Order, Order.id == Payment.order_id).where(Order.code == code).one()
        payment.state, payment.session_id = "open", f"cs_{code}"


def change(site: Site, code: str, **values: Any) -> None:
    with site.db.write_session() as session:
        order = session.query(Order).where(Order.code == code).one()
        for name, value in values.items():
            setattr(order, name, value)


def pay(site: Site, code: str) -> None:
    with site.db.write_session() as session:
        order = session.query(Order).where(Order.code == code).one()
        assert selling.pay(session, order, at=datetime.now(UTC)) == "settled"


def browser(site: Site, ada: Learner | None = None, returning: tuple[str, int] | None = None) -> dict[str, str]:
    """Headers of a browser in which the learner is signed in. `returning`: code and learner of its return cookie."""
    cookies = []
    if ada is not None:
        token = quote(json.dumps({"accessToken": ada.token, "user": {}}))
        cookies += [f"userInfo={token}", ada.cookie["Cookie"]]
    if returning is not None:
        code, learner_id = returning
        entry = ReturnEntry(code, learner_id, datetime.now(UTC) + RETURN_AGE)
        cookies.append(f"{cookie_name(site.settings)}={site.app[RETURN_ENTRIES].to_text([entry])}")
    return {"User-Agent": CHROME, "Cookie": "; ".join(cookies)} if cookies else {"User-Agent": CHROME}
