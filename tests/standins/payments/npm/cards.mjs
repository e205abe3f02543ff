// Every test card and bank account that objects.mjs does not need anyway.
import assert from 'node:assert/strict';
import { advance, EUR, get, open, paid, pay, stripe } from './client.mjs';

const DECLINED = [
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000000069', 'expired_card', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error', 'processing_error'],
];

export const cards = {
  async 'every declined card leaves the session open, and another one pays'() {
    const session = await open();
    for (const [number, ...codes] of DECLINED) {
      assert.equal((await pay(session, number)).state, 'declined');
      const { last_payment_error: error } = (await get(session)).payment_intent;
      assert.deepEqual([error.code, error.decline_code], codes);
    }
    assert.equal((await pay(session)).state, 'paid');
    assert.equal((await get(session)).payment_intent.last_payment_error, null);
  },

  async 'a refund is pending first'() {
    const { payment_intent: intent } = await paid('4000000000007726');
    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    assert.equal(refund.status, 'pending');
    await advance(60);
    assert.equal((await stripe.refunds.retrieve(refund.id)).status, 'succeeded');
  },

  async 'a refund succeeds first and fails later'() {
    const { payment_intent: intent } = await paid('4000000000005126');
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 900 });
    assert.equal(refund.status, 'succeeded');
    await advance(60);
    const failed = await stripe.refunds.retrieve(refund.id);
    assert.deepEqual([failed.status, failed.failure_reason], ['failed', 'expired_or_canceled_card']);
    assert.equal((await stripe.charges.retrieve(intent.latest_charge.id)).amount_refunded, 0);
  },

  async 'a debit is paid, and one fails, as soon as the bank answers'() {
    const good = await paid('DE89370400440532013000', EUR);
    const bad = await paid('DE62370400440532013001', EUR);
    await advance(1);
    const ends = [await get(good), await get(bad)];
    assert.deepEqual(
      ends.map(({ payment_status, payment_intent }) => [payment_status, payment_intent.status]),
      [
        ['paid', 'succeeded'],
        ['unpaid', 'requires_payment_method'],
      ],
    );
  },
};
