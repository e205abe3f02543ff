import { requestFingerprint } from '../browser/fingerprint';
import { clearDrafts, saveDrafts, storedDrafts } from '../browser/storage/formDrafts';
import { otpHint } from '../browser/storage/identityCookies';
import { bytesOf, encode, passkeyProblem } from '../browser/webauthn';
import { setCookie } from '../fixtures/setCookie';
import { rulesOf } from '../forms/passwordRules';
import { loginAddress, safeReturn } from '../model/returnTo';

test.each([
  ['/cart', '/cart'],
  ['/course-details?course=x#top', '/course-details?course=x#top'],
  [null, '/'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['https://evil.test', '/'],
  ['/a\nb', '/'],
  ['/logout', '/'],
  ['/login?returnTo=/x', '/'],
  [`/${'x'.repeat(600)}`, '/'],
])('%s is a place to come back to: %s', (requested, expected) => {
  expect(safeReturn(requested)).toBe(expected);
});

test("the sign-in's address has the return address, unless that is the home page", () => {
  expect([loginAddress('/cart'), loginAddress('//evil.test')]).toEqual(['/login?returnTo=%2Fcart', '/login']);
});

test('drafts are stored for this tab; invalid ones read as empty', () => {
  saveDrafts({ firstName: 'Ada' });
  saveDrafts({ lastName: 'Lovelace' });
  expect(storedDrafts()).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
  clearDrafts();
  window.sessionStorage.setItem('identity_typed', '{"a": 1');
  expect(storedDrafts()).toEqual({});
});

test('bytes go out as base64url and come in from either alphabet, padded or not', () => {
  expect(encode(Uint8Array.of(251, 255, 0).buffer)).toBe('-_8A');
  expect([bytesOf('-_8A'), bytesOf('+/8A'), bytesOf('AA==')].map((bytes) => [...bytes])).toEqual([
    [251, 255, 0],
    [251, 255, 0],
    [0],
  ]);
});

test('no passkey without a secure connection, with the reason', () => {
  expect(passkeyProblem()).toMatch(/^Not available here: /);
});

test('a code from a mail is shown only when it looks like one', () => {
  setCookie('otp_hint=%3Cb%3E');
  expect(otpHint()).toBe('');
});

const ORIGIN = 'http://p.test';

function frameThatSays(...messages: { origin: string; data: string }[]): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  setTimeout(() => {
    for (const message of messages)
      window.dispatchEvent(new MessageEvent('message', { ...message, source: frame.contentWindow }));
  });
  return frame;
}

test('the fingerprint comes from the frame on its own origin', async () => {
  const available = (fingerprint: string) => JSON.stringify({ type: 'FingerprintAvailable', fingerprint });
  const frame = frameThatSays(
    { origin: 'http://evil.test', data: available('forged') },
    { origin: ORIGIN, data: 'no json' },
    { origin: ORIGIN, data: available('abc') },
  );
  await expect(requestFingerprint(frame, ORIGIN)).resolves.toBe('abc');
});

test('a frame with another message gives no data', async () => {
  await expect(
    requestFingerprint(frameThatSays({ origin: ORIGIN, data: '{"type":"Other"}' }), ORIGIN),
  ).rejects.toThrow('No data');
});

test('a silent frame is waited for 15 s', async () => {
  jest.useFakeTimers();
  const answer = requestFingerprint(document.createElement('iframe'), ORIGIN).catch(
    (error: Error) => error.message,
  );
  jest.advanceTimersByTime(15_000);
  jest.useRealTimers();
  await expect(answer).resolves.toBe('Fingerprinting timed out');
});

test('rules that the provider does not set are not shown', () => {
  expect(rulesOf({ minLength: 8, symbol: 0 }, 'ada').map(({ text }) => text)).toEqual([
    'At least 8 characters',
  ]);
  expect(rulesOf(undefined, null)).toEqual([]);
});
