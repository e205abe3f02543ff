// Error objects and idempotency keys.
import assert from 'node:assert/strict';
import { client, fault, open, paid, refusal, stripe } from './client.mjs';

let number = 0;
const newKey = () => {
  number += 1;
  return { idempotencyKey: `npm-${number}` };
};
const CREATE = 'POST /v1/checkout/sessions';
const facts = (error) => [error.type, error.statusCode, error.code];

export const errors = {
  async 'a wrong key is refused'() {
    const error = await refusal(client('sk_test_of_somebody').events.list());
    assert.deepEqual(facts(error), ['StripeAuthenticationError', 401, undefined]);
  },

  async 'an unknown parameter is refused'() {
    const error = await refusal(open({ prices: 'x' }));
    assert.deepEqual(facts(error), ['StripeInvalidRequestError', 400, 'parameter_unknown']);
    assert.equal(error.param, 'prices');
    assert.match(error.requestId, /^req_/);
  },

  async 'what does not exist is missing'() {
    const error = await refusal(stripe.checkout.sessions.retrieve('cs_test_x'));
    assert.deepEqual(facts(error), ['StripeInvalidRequestError', 404, 'resource_missing']);
  },

  async 'amounts and times have limits'() {
    const price_data = { currency: 'jpy', unit_amount: 49, product_data: { name: 'Course' } };
    const little = await refusal(open({ line_items: [{ price_data, quantity: 1 }] }));
    assert.equal(little.code, 'amount_too_small');
    const early = await refusal(open({ expires_at: Math.floor(Date.now() / 1000) + 60 }));
    assert.equal(early.param, 'expires_at');
  },

  async 'a charge is not refunded twice'() {
    const intent = (await paid()).payment_intent;
    await stripe.refunds.create({ payment_intent: intent.id });
    const error = await refusal(stripe.refunds.create({ payment_intent: intent.id }));
    assert.deepEqual(facts(error), ['StripeInvalidRequestError', 400, 'charge_already_refunded']);
  },

  async 'the same key gets the first answer, other parameters are refused'() {
    const key = newKey();
    const first = await open({}, key);
    const again = await open({}, key);
    assert.equal(again.id, first.id);
    assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true');
    const error = await refusal(open({ client_reference_id: 'other' }, key));
    assert.deepEqual(facts(error), ['StripeIdempotencyError', 400, undefined]);
  },

  async 'a key in use is a conflict'() {
    const key = newKey();
    await fault(CREATE, 'delay', { seconds: 0.3 });
    const both = await Promise.allSettled([open({}, key), open({}, key)]);
    const refused = both.filter((one) => one.status === 'rejected').map((one) => one.reason);
    assert.deepEqual(refused.map(facts), [['StripeAPIError', 409, 'idempotency_key_in_use']]);
  },

  async 'a stored error 500 is repeated'() {
    const key = newKey();
    const intent = (await paid()).payment_intent;
    await fault('POST /v1/refunds', 'error-after-charging');
    const refund = () => stripe.refunds.create({ payment_intent: intent.id }, key);
    assert.deepEqual(facts(await refusal(refund())), ['StripeAPIError', 500, undefined]);
    assert.equal((await refusal(refund())).headers['idempotent-replayed'], 'true');
    assert.equal((await stripe.refunds.list({ payment_intent: intent.id })).data.length, 1);
  },

  async 'an error 500 is not tried again by the package'() {
    await fault(CREATE, 'error-500');
    const eager = client(undefined, { maxNetworkRetries: 2 });
    const error = await refusal(eager.checkout.sessions.create(REQUEST));
    assert.equal(error.statusCode, 500);
  },

  async 'a request that is dropped is not carried out'() {
    const before = (await stripe.checkout.sessions.list({ limit: 1 })).data[0]?.id;
    // The package repeats a request once whose connection was reset, whatever its setting says.
    await fault(CREATE, 'drop', { times: 2 });
    assert.equal((await refusal(open({}, newKey()))).type, 'StripeConnectionError');
    assert.equal((await stripe.checkout.sessions.list({ limit: 1 })).data[0]?.id, before);
  },

  async 'an answer that hangs ends at the deadline, and the same key gets it'() {
    const key = newKey();
    await fault(CREATE, 'hang');
    const hasty = { ...key, timeout: 500 };
    assert.equal((await refusal(open({}, hasty))).type, 'StripeConnectionError');
    let session = null;
    while (session === null) {
      // The key is in use until the gateway notices that the client is gone.
      session = await open({}, key).catch((error) => {
        assert.equal(error.code, 'idempotency_key_in_use');
        return null;
      });
    }
    assert.equal(session.lastResponse.headers['idempotent-replayed'], 'true');
  },

  async 'an answer in small pieces is whole in the end'() {
    await fault(CREATE, 'dribble', { seconds: 0.3 });
    assert.equal((await open()).status, 'open');
  },

  async 'what a session or a charge does not allow is refused'() {
    const session = await paid();
    const expired = await refusal(stripe.checkout.sessions.expire(session.id));
    assert.deepEqual([expired.statusCode, expired.param], [400, 'session']);
    const refund = { payment_intent: session.payment_intent.id };
    const more = await refusal(stripe.refunds.create({ ...refund, amount: 4901 }));
    assert.match(more.message, /greater than unrefunded amount/);
    assert.equal((await refusal(stripe.refunds.create({ ...refund, reason: 'late' }))).param, 'reason');
  },

  async 'bad JSON is an error of the gateway'() {
    await fault(CREATE, 'bad-json');
    assert.equal((await refusal(open({}, newKey()))).type, 'StripeAPIError');
  },
};

const REQUEST = {
  mode: 'payment',
  success_url: 'http://localhost:8080',
  line_items: [
    { price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Course' } }, quantity: 1 },
  ],
};
