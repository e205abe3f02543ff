// Signatures and faults of deliveries.
import assert from 'node:assert/strict';
import {
  advance,
  dev,
  eventsAbout,
  fault,
  open,
  paid,
  received,
  refuseNext,
  SECRET,
  stripe,
} from './client.mjs';

const COMPLETED = 'checkout.session.completed';
const types = (events) => events.map((event) => event.type);
const expire = async () => stripe.checkout.sessions.expire((await open()).id);
/** Events about one of several objects, in the order in which they arrived. */
const order = (...ids) =>
  received.flatMap(({ body }) => {
    const { id } = JSON.parse(body).data.object;
    return ids.includes(id) ? [id] : [];
  });

export const webhooks = {
  async 'an event is verified by its signature'() {
    const session = await paid();
    const [event] = await eventsAbout(session.id, 1);
    assert.deepEqual([event.type, event.data.object.payment_status], [COMPLETED, 'paid']);
    const { body, signature } = received.find((one) => one.body.includes(session.id));
    for (const [text, secret] of [
      [body.replace('paid', 'free'), SECRET],
      [body, 'whsec_another'],
    ])
      assert.throws(
        () => stripe.webhooks.constructEvent(text, signature, secret),
        (error) => error.type === 'StripeSignatureVerificationError',
      );
  },

  async 'a refused delivery is repeated with a signature that verifies'() {
    refuseNext();
    const session = await open();
    await stripe.checkout.sessions.expire(session.id);
    await eventsAbout(session.id, 1);
    await advance(4);
    const events = await eventsAbout(session.id, 2);
    assert.equal(events[0].id, events[1].id);
  },

  async 'a duplicated event arrives twice'() {
    await fault(COMPLETED, 'duplicate');
    const session = await paid();
    const events = await eventsAbout(session.id, 2);
    assert.deepEqual(types(events), [COMPLETED, COMPLETED]);
    assert.equal(events[0].id, events[1].id);
  },

  async 'a reordered event arrives after the next one'() {
    await fault(COMPLETED, 'reorder');
    const first = await paid();
    const second = await expire();
    await eventsAbout(first.id, 1);
    assert.deepEqual(order(first.id, second.id), [second.id, first.id]);
  },

  async 'a delayed event arrives later'() {
    await fault(COMPLETED, 'delay', { seconds: 600 });
    const first = await paid();
    const second = await expire();
    await eventsAbout(second.id, 1);
    assert.deepEqual(order(first.id, second.id), [second.id]);
    await advance(600);
    assert.deepEqual(types(await eventsAbout(first.id, 1)), [COMPLETED]);
  },

  async 'a dropped event is listed only'() {
    await fault(COMPLETED, 'drop');
    const session = await paid();
    await eventsAbout((await expire()).id, 1);
    assert.deepEqual(order(session.id), []);
    const [event] = (await stripe.events.list({ type: COMPLETED, limit: 1 })).data;
    assert.equal(event.data.object.id, session.id);
    assert.deepEqual(await dev('/dev/deliver', { event: event.id }), { status: 200 });
    assert.deepEqual(order(session.id), [session.id]);
  },

  async 'a forged event is not verified'() {
    await dev('/dev/forge', { body: '{"object": "event"}' });
    const { body, signature } = received.at(-1);
    assert.throws(() => stripe.webhooks.constructEvent(body, signature, SECRET));
  },
};
