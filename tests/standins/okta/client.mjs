// What the cases share: a client of the library with a memory of its own, redirects followed by hand, the outbox.
import assert from 'node:assert/strict';
import { OktaAuth } from '@okta/okta-auth-js';

export const SITE = 'http://localhost:8080';
export const CALLBACK = `${SITE}/logincallback`;
export const PASSWORD = 'Correct-Horse-1';
export const NEW = 'Better-Horse-22';
/** The provider of the case that is running. */
export let ORIGIN = '';

export function callAt(origin) {
  ORIGIN = origin;
}

const clients = [];

/** Ends the services of every client of the case that has ended. */
export async function stopClients() {
  await Promise.all(clients.splice(0).map((one) => one.stop()));
}

/** In Node the library keeps everybody's things in one memory, unless a client brings its own. */
function memory() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}

const SECTIONS = ['token', 'cache', 'transaction', 'shared-transaction', 'original-uri', 'idx-response'];

/** `went` is where it would have led the browser last. */
export function client(more = {}) {
  const storageProvider = memory();
  const made = new OktaAuth({
    issuer: ORIGIN,
    clientId: 'storefront',
    redirectUri: CALLBACK,
    scopes: ['openid', 'profile', 'email', 'phone'],
    storageManager: Object.fromEntries(SECTIONS.map((name) => [name, { storageProvider }])),
    setLocation: (address) => {
      made.went = address;
    },
    ...more,
  });
  clients.push(made);
  // It looks at the address bar even when it is handed an address.
  made.token.parseFromUrl._getLocation = () => new URL(SITE);
  return made;
}

/** One that answers forms by itself as long as what it was given suffices. */
export const eager = (more = {}) => client({ idx: { enableLegacyMode: true }, ...more });

export async function location(address, headers = {}) {
  const answer = await fetch(address, { redirect: 'manual', headers });
  assert.equal(answer.status, 302);
  return answer.headers.get('location');
}

/** Tokens of the code flow: authn, authorize with the session token, token. They are kept as a page would keep them. */
export async function signedIn(name = 'ada', password = PASSWORD, more = {}) {
  const auth = client(more);
  const answer = await auth.signInWithCredentials({ username: name, password });
  assert.equal(answer.status, 'SUCCESS');
  await auth.token.getWithRedirect({ sessionToken: answer.sessionToken });
  const back = await location(auth.went);
  const { tokens } = await auth.token.parseFromUrl(back);
  auth.tokenManager.setTokens(tokens);
  return auth;
}

export async function message(to) {
  const answer = await fetch(`${ORIGIN}/dev/outbox?to=${encodeURIComponent(to)}`);
  return (await answer.json()).messages[0];
}

export const code = async (to) => (await message(to)).code;

export async function push(to, action) {
  const answer = await fetch(`${ORIGIN}/dev/push`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to, action }),
  });
  return answer.json();
}

export const refusal = async (promise) => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
};
