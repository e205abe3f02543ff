"""Every test card and bank account, on the hosted page and afterwards."""

import pytest

from standins.payments.paying.methods import ACCOUNTS, CARDS
from tests.standins.payments.shop import OK, RETURN

# Number, code and decline_code of the failure, what the page says.
DECLINED = [
    ("4000000000000002", "card_declined", "generic_decline", "Your card was declined."),
    ("4000000000009995", "card_declined", "insufficient_funds", "Your card has insufficient funds."),
    ("4000000000000069", "expired_card", "expired_card", "Your card has expired."),
    ("4000000000000127", "incorrect_cvc", "incorrect_cvc", "Your card&#39;s security code is incorrect."),
    ("4000000000000119", "processing_error", "processing_error", "An error occurred while processing your card."),
    ("4111111111111111", "card_declined", "test_mode_live_card", "used a non test card."),
]
CHALLENGE, DISPUTED = "4000002500003155", "4000000000000259"
PENDING_REFUND, FAILED_REFUND = "4000000000007726", "4000000000005126"
DEBITED, DEBITED_LATER = "DE89370400440532013000", "DE08370400440532013003"
FAILS, FAILS_LATER = "DE62370400440532013001", "DE78370400440532013004"


def card_form(number, **more):
    form = {"method": "card", "number": number, "expiry": "12 / 34", "cvc": "123", "name": "Ada", "country": "US"}
    return {**form, **more}


def debit_form(iban):
    return {"method": "sepa_debit", "iban": iban, "account_name": "Ada"}


def test_every_card_and_account_has_a_case_below():
    cases = {number for number, *_ in DECLINED} | {OK, CHALLENGE, DISPUTED, PENDING_REFUND, FAILED_REFUND}
    assert {card.number for card in CARDS} <= cases
    assert {account.iban for account in ACCOUNTS} == {DEBITED, DEBITED_LATER, FAILS, FAILS_LATER}


async def test_a_good_card_pays_and_leads_back_to_the_shop(shop):
    session = await shop.open()
    answer = await shop.page(f"/c/pay/{session.id}", card_form("4242 4242 4242 4242"))
    assert (answer.status, answer.headers["Location"]) == (303, RETURN)
    found = await shop.get(session.id)
    assert (found.payment_status, found.customer_details.name) == ("paid", "Ada")
    assert found.payment_intent.latest_charge.billing_details.address.country == "US"
    # A second press changes nothing.
    again = await shop.page(f"/c/pay/{session.id}", card_form(OK))
    assert (again.status, again.headers["Location"], len(shop.money())) == (303, RETURN, 1)


@pytest.mark.parametrize(("number", "code", "decline_code", "text"), DECLINED)
async def test_a_declined_card_stays_on_the_page_and_another_one_pays(shop, number, code, decline_code, text):
    session = await shop.open()
    answer = await shop.page(f"/c/pay/{session.id}", card_form(number))
    page = await answer.text()
    assert answer.status == 200
    assert text in page
    assert "You have not been charged." in page
    assert 'value="Ada"' in page
    intent = (await shop.get(session.id)).payment_intent
    error = intent.last_payment_error
    assert (intent.status, error.type, error.code) == ("requires_payment_method", "card_error", code)
    assert (error.decline_code, error.charge) == (decline_code, intent.latest_charge.id)
    assert (intent.latest_charge.status, intent.latest_charge.failure_code) == ("failed", code)
    assert shop.money() == []
    assert (await shop.pay(session.id))["state"] == "paid"
    assert (await shop.get(session.id)).payment_intent.last_payment_error is None
    types = ["payment_intent.created", "charge.failed", "payment_intent.payment_failed"]
    assert (await shop.events())[:3] == types


@pytest.mark.parametrize(("answer", "status"), [("pass", "paid"), ("fail", "unpaid")])
async def test_a_challenge_is_passed_or_failed(shop, answer, status):
    session = await shop.open()
    path = f"/c/pay/{session.id}"
    asked = await shop.page(path, card_form(CHALLENGE))
    assert (asked.status, asked.headers["Location"]) == (303, f"{path}/challenge")
    assert (await shop.get(session.id)).payment_intent.status == "requires_action"
    assert "ends in 3155" in await (await shop.page(f"{path}/challenge")).text()
    done = await shop.page(f"{path}/challenge", {"answer": answer})
    found = await shop.get(session.id)
    assert found.payment_status == status
    assert len(shop.money()) == (status == "paid")
    if answer == "pass":
        assert (done.status, done.headers["Location"]) == (303, RETURN)
        return
    page = await done.text()
    assert "We are unable to authenticate your payment method." in page
    assert 'value="4000 0025 0000 3155"' in page
    assert 'value="Ada"' in page
    assert found.payment_intent.last_payment_error.code == "payment_intent_authentication_failure"
    assert (await shop.pay(session.id))["state"] == "paid"


async def test_a_dispute_follows_a_payment(shop):
    paid = await shop.paid(card=DISPUTED)
    assert await shop.advance(2) == 1
    charge = await shop.api.charges.retrieve_async(paid.payment_intent.latest_charge.id)
    assert charge.disputed is True
    assert (await shop.events())[-2:] == ["charge.dispute.created", "charge.dispute.funds_withdrawn"]
    assert [(one["kind"], one["amount"]) for one in shop.money()] == [("charge", 4_900), ("dispute", -4_900)]


async def test_a_refund_is_pending_first(shop):
    intent = (await shop.paid(card=PENDING_REFUND)).payment_intent
    refund = await shop.api.refunds.create_async({"payment_intent": intent.id})
    assert (refund.status, refund.pending_reason) == ("pending", "processing")
    await shop.advance(60)
    assert (await shop.api.refunds.retrieve_async(refund.id)).status == "succeeded"
    assert (await shop.events())[-3:] == ["refund.created", "charge.refunded", "refund.updated"]


async def test_a_refund_succeeds_first_and_fails_later(shop):
    intent = (await shop.paid(card=FAILED_REFUND)).payment_intent
    refund = await shop.api.refunds.create_async({"payment_intent": intent.id, "amount": 900})
    assert refund.status == "succeeded"
    await shop.advance(60)
    failed = await shop.api.refunds.retrieve_async(refund.id)
    assert (failed.status, failed.failure_reason) == ("failed", "expired_or_canceled_card")
    charge = await shop.api.charges.retrieve_async(intent.latest_charge.id)
    assert (charge.amount_refunded, charge.refunded) == (0, False)
    assert (await shop.events())[-2:] == ["refund.updated", "refund.failed"]
    assert [one["amount"] for one in shop.money()] == [4_900, -900, 900]


@pytest.mark.parametrize(("iban", "after_s"), [(DEBITED, 1), (DEBITED_LATER, 180)])
async def test_a_debit_is_complete_and_unpaid_until_the_bank_answers(shop, iban, after_s):
    session = await shop.open(currency="eur")
    answer = await shop.page(f"/c/pay/{session.id}", debit_form(iban))
    assert (answer.status, answer.headers["Location"]) == (303, RETURN)
    found = await shop.get(session.id)
    assert (found.status, found.payment_status, found.payment_intent.status) == ("complete", "unpaid", "processing")
    charge = found.payment_intent.latest_charge
    assert (charge.id[:3], charge.status, charge.balance_transaction[:4]) == ("py_", "pending", "txn_")
    assert shop.money() == []
    await shop.advance(after_s)
    found = await shop.get(session.id)
    assert (found.payment_status, found.payment_intent.status) == ("paid", "succeeded")
    assert (await shop.events())[-1] == "checkout.session.async_payment_succeeded"
    movement = (await shop.api.balance_transactions.list_async({})).data[0]
    assert (movement.type, movement.reporting_category) == ("payment", "charge")
    refund = await shop.api.refunds.create_async({"payment_intent": found.payment_intent.id})
    assert refund.id.startswith("pyr_")


@pytest.mark.parametrize(("iban", "after_s"), [(FAILS, 1), (FAILS_LATER, 180)])
async def test_a_debit_fails_after_the_session_was_complete(shop, iban, after_s):
    session = await shop.paid(card=iban, currency="eur")
    await shop.advance(after_s)
    found = await shop.get(session.id)
    assert (found.status, found.payment_status) == ("complete", "unpaid")
    assert found.payment_intent.status == "requires_payment_method"
    assert found.payment_intent.last_payment_error.message == "The bank account has insufficient funds."
    assert found.payment_intent.latest_charge.status == "failed"
    assert (await shop.events())[-1] == "checkout.session.async_payment_failed"
    assert shop.money() == []


async def test_a_debit_that_is_due_later_is_not_settled_earlier(shop):
    session = await shop.paid(card=DEBITED_LATER, currency="eur")
    await shop.advance(170)
    assert (await shop.get(session.id)).payment_status == "unpaid"
