// What the cases share: the package of npm, /dev of the gateway, and a webhook that stores what it gets.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import Stripe from 'stripe';

const [, , ORIGIN, WEBHOOK_PORT] = process.argv;
export const SECRET = 'whsec_standin';
export const OK = '4242424242424242';
const address = new URL(ORIGIN);

export const client = (key = 'sk_test_standin', more = {}) =>
  new Stripe(key, {
    protocol: 'http',
    host: address.hostname,
    port: address.port,
    maxNetworkRetries: 0,
    telemetry: false,
    ...more,
  });

export const stripe = client();

export async function dev(path, body) {
  const answer = await fetch(ORIGIN + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return answer.json();
}

export const advance = (seconds) => dev('/dev/advance', { seconds });
export const fault = (match, what, more = {}) => dev('/dev/faults', { match, do: what, ...more });
export const pay = (session, card = OK, more = {}) => dev('/dev/pay', { session: session.id, card, ...more });

export function open(more = {}, options = undefined) {
  const price_data = { currency: 'usd', unit_amount: 4900, product_data: { name: 'Course' } };
  return stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ price_data, quantity: 1 }],
      success_url: 'http://localhost:8080/completed/ABC',
      customer_email: 'ada@example.test',
      metadata: { order: 'ABC' },
      payment_intent_data: { metadata: { order: 'ABC' } },
      ...more,
    },
    options,
  );
}

/** What a session has that a bank account pays. */
export const EUR = {
  line_items: [
    { price_data: { currency: 'eur', unit_amount: 4900, product_data: { name: 'Course' } }, quantity: 1 },
  ],
};

export const get = (session) =>
  stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });

/** A session that was paid, with its intent and charge. */
export async function paid(card = OK, more = {}) {
  const session = await open(more);
  assert.ok(['paid', 'processing'].includes((await pay(session, card)).state));
  return get(session);
}

export async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

/** Bodies and signatures of the events that arrived. */
export const received = [];
const waiting = new Set();
let refusals = 0;
/** The webhook answers 500 to the next delivery. */
export const refuseNext = () => {
  refusals += 1;
};

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    received.push({ body: Buffer.concat(parts).toString(), signature: request.headers['stripe-signature'] });
    if (refusals > 0) {
      refusals -= 1;
      response.statusCode = 500;
    }
    response.end();
    for (const wake of waiting) wake();
  });
});

export const listen = () => new Promise((done) => server.listen(Number(WEBHOOK_PORT), '127.0.0.1', done));
export const close = () => server.close();

/** The verified events about an object, as soon as there are `count`. */
export async function eventsAbout(id, count) {
  const found = () =>
    received
      .filter(({ body }) => body.includes(id))
      .map(({ body, signature }) => stripe.webhooks.constructEvent(body, signature, SECRET));
  while (found().length < count)
    await new Promise((done) => {
      waiting.add(done);
    });
  return found();
}
