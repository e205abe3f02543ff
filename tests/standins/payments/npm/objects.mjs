// Every endpoint.
import assert from 'node:assert/strict';
import { advance, EUR, get, open, paid, pay, stripe } from './client.mjs';

const ids = (page) => page.data.map((one) => one.id);

export const objects = {
  async 'a session is created, retrieved and listed'() {
    const expires_at = Math.floor(Date.now() / 1000) + 31 * 60;
    const session = await open({ expires_at, adaptive_pricing: { enabled: false } });
    assert.deepEqual(
      [session.status, session.payment_status, session.amount_total],
      ['open', 'unpaid', 4900],
    );
    assert.equal(session.expires_at, expires_at);
    assert.ok(session.url.endsWith(`/c/pay/${session.id}`));
    assert.match(session.lastResponse.requestId, /^req_/);
    assert.equal((await stripe.checkout.sessions.retrieve(session.id)).id, session.id);
    assert.equal((await stripe.checkout.sessions.list({ status: 'open', limit: 1 })).data[0].id, session.id);
  },

  async 'line items are listed'() {
    const session = await open();
    const page = await stripe.checkout.sessions.listLineItems(session.id);
    assert.deepEqual(
      page.data.map((item) => [item.description, item.amount_total]),
      [['Course', 4900]],
    );
  },

  async 'a session is expired'() {
    const session = await open();
    assert.equal((await stripe.checkout.sessions.expire(session.id)).status, 'expired');
  },

  async 'lists go on by themselves'() {
    const made = [];
    for (let count = 0; count < 3; count += 1) made.unshift((await open()).id);
    const seen = [];
    for await (const session of stripe.checkout.sessions.list({ limit: 2 })) {
      seen.push(session.id);
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, made);
  },

  async 'an intent, its charge and its movement of money are retrieved and listed'() {
    const session = await paid();
    const intent = await stripe.paymentIntents.retrieve(session.payment_intent.id, {
      expand: ['latest_charge.balance_transaction'],
    });
    const charge = intent.latest_charge;
    assert.deepEqual(
      [intent.status, charge.status, charge.balance_transaction.net],
      ['succeeded', 'succeeded', 4728],
    );
    assert.equal((await stripe.charges.retrieve(charge.id)).payment_intent, intent.id);
    assert.deepEqual(ids(await stripe.charges.list({ payment_intent: intent.id })), [charge.id]);
    assert.equal(ids(await stripe.paymentIntents.list({ limit: 1 }))[0], intent.id);
    const movement = await stripe.balanceTransactions.retrieve(charge.balance_transaction.id);
    assert.equal(movement.source, charge.id);
    assert.deepEqual(ids(await stripe.balanceTransactions.list({ source: charge.id })), [movement.id]);
  },

  async 'a refund is created, retrieved, listed and updated'() {
    const intent = (await paid()).payment_intent;
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 900,
      reason: 'requested_by_customer',
    });
    assert.deepEqual([refund.status, refund.amount], ['succeeded', 900]);
    assert.deepEqual(ids(await stripe.refunds.list({ payment_intent: intent.id })), [refund.id]);
    const updated = await stripe.refunds.update(refund.id, { metadata: { refund: '1' } });
    assert.equal(updated.metadata.refund, '1');
    assert.equal((await stripe.refunds.retrieve(refund.id)).metadata.refund, '1');
    const charge = await stripe.charges.retrieve(intent.latest_charge.id, { expand: ['refunds'] });
    assert.deepEqual([charge.amount_refunded, ids(charge.refunds)], [900, [refund.id]]);
  },

  async 'events are retrieved and listed'() {
    const session = await paid();
    const page = await stripe.events.list({ type: 'checkout.session.completed', limit: 1 });
    assert.equal(page.data[0].data.object.id, session.id);
    assert.equal((await stripe.events.retrieve(page.data[0].id)).type, 'checkout.session.completed');
    const since = { created: { gte: session.created + 3600 } };
    assert.deepEqual((await stripe.events.list(since)).data, []);
  },

  async 'disputes are retrieved, listed, decided and accepted'() {
    const decide = [
      (id) => stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } }),
      (id) => stripe.disputes.close(id),
    ];
    const states = [];
    for (const one of decide) {
      const intent = (await paid('4000000000000259')).payment_intent;
      await advance(2);
      const [dispute] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
      assert.equal((await stripe.disputes.retrieve(dispute.id)).status, 'needs_response');
      states.push((await one(dispute.id)).status);
    }
    assert.deepEqual(states, ['won', 'lost']);
  },

  async 'a debit is settled later, and fails later'() {
    const good = await paid('DE08370400440532013003', EUR);
    const bad = await paid('DE78370400440532013004', EUR);
    assert.deepEqual([good.status, good.payment_status], ['complete', 'unpaid']);
    await advance(180);
    assert.equal((await get(good)).payment_status, 'paid');
    assert.equal((await get(bad)).payment_intent.status, 'requires_payment_method');
  },

  async 'a declined card leaves the session open, a challenge is passed'() {
    const session = await open();
    assert.equal((await pay(session, '4000000000009995')).state, 'declined');
    const intent = (await get(session)).payment_intent;
    assert.deepEqual(
      [intent.last_payment_error.code, intent.last_payment_error.decline_code],
      ['card_declined', 'insufficient_funds'],
    );
    assert.equal((await pay(session, '4000002500003155', { challenge: 'fail' })).state, 'declined');
    assert.equal((await pay(session, '4000002500003155')).state, 'paid');
  },
};
