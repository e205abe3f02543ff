"""Objects have the fields that the classes of the SDK declare: a later SDK shows what the gateway has added."""

import pytest

# The API leaves them out where they do not apply.
OPTIONAL = {
    "payment_intent": {"hooks", "managed_payments", "payment_details", "payment_record", "presentment_details"},
    "charge": {"authorization_code", "level3", "refunds", "transfer"},
    "refund": {"description", "failure_balance_transaction", "failure_reason", "instructions_email", "next_action"},
    "event": {"account", "context"},
}


def declared(found):
    return {name for name, kind in type(found).__annotations__.items() if "ClassVar" not in str(kind)}


@pytest.mark.parametrize("card", ["4000000000000259", "4000000000005126"])
async def test_every_object_has_the_fields_of_its_class(shop, card):
    paid = await shop.paid(card=card)
    await shop.advance(2)
    path = {"expand": ["line_items", "payment_intent.latest_charge"]}
    session = await shop.api.checkout.sessions.retrieve_async(paid.id, path)
    found = [session, session.payment_intent, session.payment_intent.latest_charge, *session.line_items.data]
    if not session.payment_intent.latest_charge.disputed:
        found.append(await shop.api.refunds.create_async({"payment_intent": session.payment_intent.id}))
    found += (await shop.api.disputes.list_async({})).data
    found += (await shop.api.balance_transactions.list_async({})).data
    found += (await shop.api.events.list_async({})).data
    for one in found:
        fields = set(one.to_dict())
        assert declared(one) - OPTIONAL.get(one.object, set()) - fields == set(), one.object
        assert fields - declared(one) == set(), one.object
