"""An attempt to pay a session: with a card, a challenge or a debit."""

from dataclasses import dataclass
from typing import Any, Literal

from standins.payments.objects import store
from standins.payments.objects.events import emit
from standins.payments.objects.payments import charge_fee, new_charge, new_intent, new_method, new_movement, outcome
from standins.payments.objects.sessions import customer_details
from standins.payments.paying import due_changes
from standins.payments.paying.methods import (
    CARDS,
    NOT_A_TEST_CARD,
    NOT_AUTHENTICATED,
    Failure,
    KnownAccount,
    KnownCard,
    account_details,
    card_details,
    compact,
    known_account,
    known_card,
)
from standins.payments.tables import StoredObject
from standins.payments.work import Json, Work

# A debit is never settled at once: the session is complete and unpaid first.
SOON_S, LATER_S = 1.0, 180.0


@dataclass(frozen=True)
class Payer:
    email: str | None = None
    name: str | None = None
    country: str | None = None
    month: int = 12
    year: int = 2034


@dataclass(frozen=True)
class Outcome:
    """What the buyer sees next. `failure` with declined alone."""

    state: Literal["paid", "processing", "challenge", "declined"]
    failure: Failure | None = None


def pay_by_card(work: Work, session: StoredObject, card: KnownCard, payer: Payer) -> Outcome:
    """The session must be open. A card that is declined leaves it open."""
    intent = _intent(work, session)
    method = _method(work, "card", dict(card_details(card.number, payer.month, payer.year)), payer)
    store.change(intent, payment_method=method["id"])
    store.change_private(intent, number=card.number, payer=vars(payer))
    if card.failure is not None:
        return _decline(work, intent, method, card.failure)
    if card.needs_challenge:
        page = f"{work.config.origin}/c/pay/{session.id}/challenge"
        action = {
            "redirect_to_url": {"return_url": session.data["success_url"], "url": page},
            "type": "redirect_to_url",
        }
        store.change(intent, status="requires_action", next_action=action)
        emit(work, "payment_intent.requires_action", intent)
        return Outcome("challenge")
    return _charge(work, session, method, card, payer)


def is_challenged(work: Work, session: StoredObject) -> bool:
    intent_id = session.data["payment_intent"]
    return intent_id is not None and store.get(work, intent_id).data["status"] == "requires_action"


def challenged_card(work: Work, session: StoredObject) -> KnownCard:
    """The card that is being authenticated."""
    number = store.get(work, session.data["payment_intent"]).private["number"]
    return next(card for card in CARDS if card.number == number)


def challenged_payer(work: Work, session: StoredObject) -> Payer:
    """Who is being authenticated."""
    return Payer(**store.get(work, session.data["payment_intent"]).private["payer"])


def finish_challenge(work: Work, session: StoredObject, has_passed: bool) -> Outcome:
    """The buyer's answer to the challenge; the intent requires action."""
    intent = store.get(work, session.data["payment_intent"])
    method = store.get(work, intent.data["payment_method"]).data
    if not has_passed:
        return _decline(work, intent, method, NOT_AUTHENTICATED, is_charged=False)
    return _charge(work, session, method, challenged_card(work, session), challenged_payer(work, session))


def pay_by_debit(work: Work, session: StoredObject, account: KnownAccount, payer: Payer) -> Outcome:
    """Begins a debit: the session is complete and unpaid until the bank answers."""
    intent = _intent(work, session)
    method = _method(work, "sepa_debit", dict(account_details(account.iban)), payer)
    charge = store.add(work, new_charge(work, intent.data, method, "pending"), {"iban": account.iban})
    # Its movement is pending from the day on which the debit is sent to the bank.
    move(work, charge)
    store.change(
        intent, status="processing", latest_charge=charge.id, payment_method=method["id"], last_payment_error=None
    )
    _complete(session, payer, "unpaid")
    emit(work, "payment_intent.processing", intent)
    emit(work, "charge.pending", charge)
    emit(work, "checkout.session.completed", session)
    change = "fail_debit" if account.failure else "settle_debit"
    due_changes.plan(work, LATER_S if account.later else SOON_S, change, session.id)
    return Outcome("processing")


def _intent(work: Work, session: StoredObject) -> StoredObject:
    """The session's intent, which its first attempt creates."""
    if session.data["payment_intent"] is not None:
        return store.get(work, session.data["payment_intent"])
    intent = store.add(work, new_intent(work, session.data, session.private["payment_intent_data"]))
    store.change(session, payment_intent=intent.id)
    emit(work, "payment_intent.created", intent)
    return intent


def _method(work: Work, method_type: str, details: Json, payer: Payer) -> Json:
    address: dict[str, Any] = {"city": None, "country": payer.country, "line1": None, "line2": None}
    billing = {
        "address": {**address, "postal_code": None, "state": None},
        "email": payer.email,
        "name": payer.name,
        "phone": None,
        "tax_id": None,
    }
    method = new_method(work, method_type, details, billing)
    store.add(work, method)
    return method


def _decline(work: Work, intent: StoredObject, method: Json, failure: Failure, is_charged: bool = True) -> Outcome:
    """`is_charged`: the bank was asked, so that there is a failed charge."""
    error = {
        "code": failure.code,
        "doc_url": f"https://stripe.com/docs/error-codes/{failure.code.replace('_', '-')}",
        "message": failure.message,
        "payment_method": method,
        "type": "card_error",
    }
    if failure.decline_code:
        error["decline_code"] = failure.decline_code
    if is_charged:
        data = new_charge(work, intent.data, method, "failed")
        reason = outcome("failed", failure.decline_code or failure.code)
        data |= {"failure_code": failure.code, "failure_message": failure.message, "outcome": reason}
        charge = store.add(work, data)
        error["charge"] = charge.id
        store.change(intent, latest_charge=charge.id)
        emit(work, "charge.failed", charge)
    store.change(
        intent, status="requires_payment_method", last_payment_error=error, payment_method=None, next_action=None
    )
    emit(work, "payment_intent.payment_failed", intent)
    return Outcome("declined", failure)


def _charge(work: Work, session: StoredObject, method: Json, card: KnownCard, payer: Payer) -> Outcome:
    intent = store.get(work, session.data["payment_intent"])
    charge = store.add(work, new_charge(work, intent.data, method, "succeeded"), {"refund": card.refund})
    settle(work, session, intent, charge)
    _complete(session, payer, "paid")
    emit(work, "charge.succeeded", charge)
    emit(work, "payment_intent.succeeded", intent)
    emit(work, "checkout.session.completed", session)
    if card.is_disputed:
        due_changes.plan(work, SOON_S, "open_dispute", charge.id)
    return Outcome("paid")


def settle(work: Work, session: StoredObject, intent: StoredObject, charge: StoredObject) -> None:
    """The money of a charge is there. That of a debit has moved since it began."""
    amount = charge.data["amount"]
    if charge.data["balance_transaction"] is None:
        move(work, charge)
    store.change(
        intent,
        status="succeeded",
        amount_received=amount,
        latest_charge=charge.id,
        last_payment_error=None,
        next_action=None,
    )
    work.add_money(
        "charge",
        amount,
        currency=charge.data["currency"],
        id=charge.id,
        payment_intent=intent.id,
        session=session.id,
        client_reference_id=session.data["client_reference_id"],
        metadata=intent.data["metadata"],
    )


def move(work: Work, charge: StoredObject) -> None:
    """The movement of a charge."""
    amount, kind = charge.data["amount"], "charge" if charge.id.startswith("ch_") else "payment"
    movement = store.add(work, new_movement(work, (kind, "charge"), amount, charge.data, charge_fee(amount)))
    store.change(charge, balance_transaction=movement.id)


def _complete(session: StoredObject, payer: Payer, payment_status: str) -> None:
    details = customer_details(payer.email or session.data["customer_email"], payer.name, payer.country)
    store.change(session, status="complete", payment_status=payment_status, customer_details=details, url=None)


def pay_by_number(work: Work, session: StoredObject, number: str, payer: Payer) -> Outcome:
    """With the number of a card. The session must be open."""
    card = known_card(number)
    if isinstance(card, Failure):
        # The bank is not asked about a number that cannot be a card's.
        if card is not NOT_A_TEST_CARD:
            return Outcome("declined", card)
        card = KnownCard(compact(number), "is no test card", card)
    return pay_by_card(work, session, card, payer)


def pay_by_iban(work: Work, session: StoredObject, iban: str, payer: Payer) -> Outcome:
    """With a bank account. The session must be open."""
    account = known_account(iban)
    return Outcome("declined", account) if isinstance(account, Failure) else pay_by_debit(work, session, account, payer)
