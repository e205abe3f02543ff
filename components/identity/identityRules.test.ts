import { loginAddress, safeReturn } from '../api/returnTo';
import { askFingerprint } from '../browser/fingerprint';
import { otpHint } from '../browser/identityCookies';
import { forgetTyped, keepTyped, typedFields } from '../browser/typed';
import { bytesOf, encode, keyObstacle } from '../browser/webauthn';
import { rulesOf } from '../ui/passwordRules';

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
])('%s is a place to come back to: %s', (wish, expected) => {
  expect(safeReturn(wish)).toBe(expected);
});

test('the address of the sign-in says where to come back to, unless that is the front page', () => {
  expect([loginAddress('/cart'), loginAddress('//evil.test')]).toEqual(['/login?returnTo=%2Fcart', '/login']);
});

test('what was typed is kept for this tab; what is damaged reads as nothing', () => {
  keepTyped({ firstName: 'Ada' });
  keepTyped({ lastName: 'Lovelace' });
  expect(typedFields()).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
  forgetTyped();
  window.sessionStorage.setItem('identity_typed', '{"a": 1');
  expect(typedFields()).toEqual({});
});

test('bytes go out as base64url and come in from either alphabet, padded or not', () => {
  expect(encode(Uint8Array.of(251, 255, 0).buffer)).toBe('-_8A');
  expect([bytesOf('-_8A'), bytesOf('+/8A'), bytesOf('AA==')].map((bytes) => [...bytes])).toEqual([
    [251, 255, 0],
    [251, 255, 0],
    [0],
  ]);
});

test('no passkey without a secure connection, and the reason is told', () => {
  expect(keyObstacle()).toMatch(/^Not available here: /);
});

test('a code from a mail is shown only when it looks like one', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = 'otp_hint=%3Cb%3E; path=/';
  expect(otpHint()).toBe('');
});

const ORIGIN = 'http://p.test';

function frameThatSays(...said: { origin: string; data: string }[]): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  setTimeout(() => {
    for (const one of said)
      window.dispatchEvent(new MessageEvent('message', { ...one, source: frame.contentWindow }));
  });
  return frame;
}

test('the fingerprint is what the frame says on its own origin', async () => {
  const available = (fingerprint: string) => JSON.stringify({ type: 'FingerprintAvailable', fingerprint });
  const frame = frameThatSays(
    { origin: 'http://evil.test', data: available('forged') },
    { origin: ORIGIN, data: 'no json' },
    { origin: ORIGIN, data: available('abc') },
  );
  await expect(askFingerprint(frame, ORIGIN)).resolves.toBe('abc');
});

test('a frame that says something else gives no data', async () => {
  await expect(
    askFingerprint(frameThatSays({ origin: ORIGIN, data: '{"type":"Other"}' }), ORIGIN),
  ).rejects.toThrow('No data');
});

test('a silent frame is waited for 15 s', async () => {
  jest.useFakeTimers();
  const answer = askFingerprint(document.createElement('iframe'), ORIGIN).catch(
    (error: Error) => error.message,
  );
  jest.advanceTimersByTime(15_000);
  jest.useRealTimers();
  await expect(answer).resolves.toBe('Fingerprinting timed out');
});

test('rules that the provider does not set are not told', () => {
  expect(rulesOf({ minLength: 8, symbol: 0 }, 'ada').map(({ text }) => text)).toEqual([
    'At least 8 characters',
  ]);
  expect(rulesOf(undefined, null)).toEqual([]);
});
