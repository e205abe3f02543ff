"""The pages of an order in every state, for everyone: with script and without, valid HTML, and no finding of axe."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect
from sqlalchemy.orm import Session

from domain.orders.refunds import gateway_results, requests
from domain.orders.refunds.refund_rows import advance_refund
from domain.orders.settings import Context
from domain.tables import Order, Refund
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS
from tests.domain.orders.views import reading
from tests.host.rendering.test_html import html_findings
from tests.journeys import axe, orders
from tests.journeys.conftest import NewVisitor, Visitor
from tests.journeys.markup import save
from tests.support.factories import NOON
from tests.support.site import Site

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session")]

# A course is bought once.
PRODUCTS = [
    ("sql-for-spreadsheet-people", "honest-numbers"),
    ("cross-border-vat", "exam-voucher-data-analyst"),
    ("bookkeeping-from-first-principles", "honest-numbers"),
    ("bundle-new-leader", "the-calm-month-end"),
]


def paid_late(session: Session, order: Order) -> None:
    reading.expired(session, order)
    payment = selling.payment_of(session, order)
    carried_out(requests.return_payment(session, order, payment, "late", Context(LATER, SETTINGS)))


def refund(session: Session, order: Order, number: int) -> None:
    row = reading.refund(session, order, number)
    carried_out(row)
    gateway_results.accept(session, order, row, Context(LATER, SETTINGS))


def carried_out(row: Refund) -> None:
    """The gateway of the site knows no payment of these orders: its worker must find nothing to send."""
    assert advance_refund(row, "succeeded", LATER)


def refunded(session: Session, order: Order) -> None:
    """Line by line: the second one ends the order."""
    selling.pay(session, order)
    refund(session, order, 1)
    refund(session, order, 2)


def partly_refunded(session: Session, order: Order) -> None:
    selling.pay(session, order)
    refund(session, order, 1)


def still_placed(_session: Session, order: Order) -> None:
    """The site's own worker ends orders whose time is over."""
    order.reserved_until = order.placed_at.replace(year=order.placed_at.year + 50)


def processing(session: Session, order: Order) -> None:
    reading.processing(session, order)
    still_placed(session, order)


STATES: dict[str, tuple[Callable[[Session, Order], Any], str]] = {
    "placed": (still_placed, "Waiting for payment"),
    "processing": (processing, "Payment on its way"),
    "paid": (selling.pay, "Paid"),
    "disputed": (reading.disputed, "Paid, disputed"),
    "partly refunded": (partly_refunded, "Partly refunded"),
    "refunded": (refunded, "Refunded"),
    "refund failed": (reading.part_refund_failed, "Refund failed"),
    "lost to a dispute": (reading.dispute_lost, "Refunded"),
    "expired": (reading.expired, "Expired"),
    "cancelled": (reading.cancelled, "Cancelled"),
    "paid late": (paid_late, "Paid too late and refunded"),
}


# Those of a group share a learner and browser profiles. Only the last one can be open: it comes last. With every change
# two that show most of what the pages can show; tests/domain/orders/views/test_states.py holds the texts of all.
DAILY = ("partly refunded", "placed")
NIGHTLY = [
    ("paid", "refunded", "expired"),
    ("disputed", "lost to a dispute", "cancelled"),
    ("refund failed", "paid late", "processing"),
]
TOGETHER = [DAILY, *(pytest.param(states, marks=pytest.mark.soak) for states in NIGHTLY)]


async def test_every_state_is_looked_at_once() -> None:
    assert sorted(state for states in (DAILY, *NIGHTLY) for state in states) == sorted(STATES)


def orders_in(site: Site, states: Sequence[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """The codes of orders of a new learner in these states, and the learner's sign-in."""
    learner_id, token = orders.new_learner(site, f"learner-{states[0].replace(' ', '-')}")
    codes = {}
    for number, state in enumerate(states):
        with orders.writing(site) as session:
            order = orders.place(session, learner_id, *PRODUCTS[number], at=NOON)
            STATES[state][0](session, order)
            codes[state] = order.code
    return codes, token


async def check_with_script(visitor: Visitor, code: str, text: str, folder: Path) -> None:
    for path in ("order", "completed"):
        await visitor.open(f"/{path}/{code}")
        await expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
        if path == "order":
            await expect(visitor.page.locator(".order-state .badge")).to_have_text(text)
        await axe.check_page(visitor.page, is_dark=path == "order")
        await save(visitor.page, folder, f"{code}-{path}")


async def check_plain(visitor: Visitor, reader: Page, code: str, text: str, folder: Path) -> None:
    for path in ("order", "completed"):
        # Its last look: until then the page loads itself again.
        await visitor.page.goto(f"/{path}/{code}{'?n=12' if path == 'completed' else ''}")
        await expect(visitor.page.locator("#no-script").get_by_role("heading", level=1)).to_be_visible()
        if path == "order":
            await expect(visitor.page.locator(".order-state .badge")).to_have_text(text)
        await axe.check_without_script(visitor.page, reader, is_dark=path == "order")
        if path == "order":
            narrow = "[...document.querySelectorAll('.order-part')].filter((part) => part.offsetWidth < 300).length"
            assert await reader.evaluate(narrow) == 0
        await save(visitor.page, folder, f"{code}-{path}-plain")


@pytest.mark.parametrize("states", TOGETHER, ids=", ".join)
async def test_an_order_is_for_everyone(new_visitor: NewVisitor, tmp_path: Path, states: tuple[str, ...]) -> None:
    visitor = await new_visitor(bypass_csp=True)
    plain = await new_visitor(390, java_script_enabled=False)
    reader = (await new_visitor(bypass_csp=True)).page
    codes, token = orders_in(visitor.site, states)
    for signed_in in (visitor, plain):
        await orders.sign_in(signed_in, token)
    for state, code in codes.items():
        await check_with_script(visitor, code, STATES[state][1], tmp_path)
        await check_plain(plain, reader, code, STATES[state][1], tmp_path)
    assert await asyncio.to_thread(html_findings, tmp_path) == []
