import type * as Session from './visitSession';

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let session: typeof Session;

beforeEach(async () => {
  window.sessionStorage.clear();
  jest.resetModules();
  session = await import('./visitSession');
});

function refuse(...methods: ('getItem' | 'setItem')[]) {
  for (const method of methods) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
  }
}

test('a session id is a UUID v4, stored and reused', () => {
  const id = session.sessionId();
  expect(id).toMatch(V4);
  expect([session.sessionId(), window.sessionStorage.getItem('session_id')]).toEqual([id, id]);
});

test('a stored session id is reused', () => {
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  window.sessionStorage.setItem('session_id', id);
  expect(session.sessionId()).toBe(id);
});

test.each([
  '',
  'abc',
  '01234567-89ab-1cde-8f01-23456789abcd',
  '01234567-89AB-4CDE-8F01-23456789ABCD',
  ' 01234567-89ab-4cde-8f01-23456789abcd',
])('the malformed %p is replaced', (stored) => {
  window.sessionStorage.setItem('session_id', stored);
  const id = session.sessionId();
  expect(id).toMatch(V4);
  expect(window.sessionStorage.getItem('session_id')).toBe(id);
});

test.each([
  ['refused', ['getItem', 'setItem'] as const],
  ['full', ['setItem'] as const],
])('with storage %s one id lives as long as the page', (_, methods) => {
  refuse(...methods);
  const id = session.sessionId();
  expect(id).toMatch(V4);
  expect(session.sessionId()).toBe(id);
});

test('without crypto.randomUUID (plain http) the id has the same form', async () => {
  const { newUuid } = await import('../../model/uuid');
  const original = crypto.randomUUID;
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    expect(newUuid()).toMatch(V4);
    expect(newUuid()).not.toBe(newUuid());
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: original, configurable: true });
  }
});
