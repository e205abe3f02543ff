"""Sites that sell, with the stand-in of the payment gateway, and orders that wait for their payment."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select, update

from domain.tables import Order, Payment
from host.checkout import return_cookie
from tests.host.api.checkout.conftest import ada, buyer, gateway, open_checkout, selling_site
from tests.host.api.checkout.shop import CALIFORNIA, VAT, Buyer
from tests.host.signing import Learner
from tests.host.site import Site

__all__ = ["ada", "buyer", "gateway", "open_checkout", "selling_site"]


@dataclass(frozen=True)
class Placed:
    """An order of a course for 86.40, whose hosted page is open. `cookie`: the return cookie."""

    learner: Learner
    code: str
    cookie: dict[str, str]

    @property
    def site(self) -> Site:
        return self.learner.site

    def payments(self) -> list[Payment]:
        query = select(Payment).join(Order, Order.id == Payment.order_id).where(Order.code == self.code)
        with self.site.db.read_session() as session:
            return list(session.scalars(query.order_by(Payment.number)))

    def state(self) -> str:
        with self.site.db.read_session() as session:
            return session.scalars(select(Order.state).where(Order.code == self.code)).one()

    def change(self, **values: Any) -> None:
        with self.site.db.write_session() as session:
            session.execute(update(Order).where(Order.code == self.code).values(**values))

    def forget_checks(self) -> None:
        """As if the gateway had not been asked for a while."""
        with self.site.db.write_session() as session:
            session.execute(update(Payment).values(checked_at=None))

    async def key(self) -> str:
        return str((await self.learner.get(f"orders/{self.code}"))[1]["paymentKey"])

    async def status(self, headers: dict[str, str] | None = None, query: str = "") -> tuple[int, Any]:
        sent = self.learner.headers if headers is None else headers
        return await self.site.call(f"orders/{self.code}/status{query}", None, sent, method="GET")


async def place(who: Buyer) -> Placed:
    learner = who.learner
    await learner.add(VAT)
    await who.type(CALIFORNIA)
    checkout = await who.show()
    form = {
        "key": checkout["key"],
        "seen": checkout["seen"],
        "values": CALIFORNIA,
        "service": "",
        "terms": checkout["terms"]["date"],
    }
    answer = await learner.site.answer("checkout", form, learner.headers)
    result = await answer.json()
    assert result["status"] == "success", result
    name = return_cookie.cookie_name(learner.site.settings)
    return Placed(learner, result["code"], {"Cookie": f"{name}={answer.cookies[name].value}"})


@pytest.fixture
async def placed(open_checkout) -> Placed:
    return await place(buyer(await open_checkout()))


@pytest.fixture
async def each_placed(ada: Buyer) -> Placed:
    """An order that was placed, on SQLite and on MariaDB."""
    return await place(ada)
