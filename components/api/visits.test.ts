import redaction from '../../contracts/cases/redaction.json';
import { setCookie } from '../fixtures/setCookie';
import type * as Visits from './visits';

const fetching = jest.fn<Promise<Response>, [string, RequestInit]>();
const OK = () => new Response('{"Status":"success"}', { status: 202 });
let visits: typeof Visits;

beforeEach(async () => {
  jest.useFakeTimers();
  jest.resetModules();
  window.localStorage.clear();
  window.sessionStorage.clear();
  fetching.mockReset();
  fetching.mockImplementation(async () => OK());
  // Not the mock itself: resetting modules clears the mocks among the globals.
  globalThis.fetch = ((...call: [string, RequestInit]) => fetching(...call)) as unknown as typeof fetch;
  visits = await import('./visits');
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const pair of document.cookie.split('; ')) setVisitCookie(pair.split('=')[0] ?? '', '', '; max-age=0');
});

function setVisitCookie(name: string, value: string, more = '') {
  setCookie(`${name}=${encodeURIComponent(value)}${more}`);
}

/** The payloads sent so far. */
function sent(): Visits.TraceLog[] {
  return fetching.mock.calls.map(([, options]) => JSON.parse(String(options.body)));
}

function urls(): string[] {
  return sent().map((visit) => visit.Url);
}

function storedCount(): number {
  return Object.keys(window.localStorage).filter((key) => key.startsWith('unsent_visit:')).length;
}

function answerOnce(status: number, headers: Record<string, string> = {}) {
  fetching.mockImplementationOnce(async () => new Response('{}', { status, headers }));
}

test('a visit carries every field of the specification', async () => {
  setVisitCookie(
    'userInfo',
    JSON.stringify({ accessToken: 't', user: { AAUserID: 7, Email: 'ada@example.test' } }),
  );
  setVisitCookie('CouponID', '12');
  setVisitCookie('Stunum', 'S-1');
  setVisitCookie('specialcouponid', '99');
  await visits.logVisit('/shop', '?page=2');
  const [visit] = sent();
  expect(visit).toEqual({
    EventID: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    LoginEmail: 'ada@example.test',
    AAUserID: 7,
    CouponID: '12',
    SessionID: window.sessionStorage.getItem('session_id'),
    Stunum: 'S-1',
    SpecialCouponID: '99',
    Url: '/shop?page=2',
    Load: 'first',
  });
});

test('only the first visit of a document says so, and says it again when it is sent again', async () => {
  answerOnce(503);
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(1_000);
  await visits.logVisit('/b', '');
  expect(sent().map((visit) => [visit.Url, visit.Load])).toEqual([
    ['/a', 'first'],
    ['/b', undefined],
    ['/a', 'first'],
  ]);
});

test('an anonymous visit has AAUserID 0 and empty texts', async () => {
  await visits.logVisit('/', '');
  const { EventID: _, SessionID: __, ...rest } = sent()[0] as Visits.TraceLog;
  expect(rest).toEqual({
    LoginEmail: '',
    AAUserID: 0,
    CouponID: '',
    Stunum: '',
    SpecialCouponID: '',
    Url: '/',
    Load: 'first',
  });
});

test.each(redaction.both)('of an address, $name', async ({ url, kept: expected }) => {
  const at = url.indexOf('?');
  await visits.logVisit(at < 0 ? url : url.slice(0, at), at < 0 ? '' : url.slice(at));
  expect(urls()).toEqual([expected]);
});

test('the first visit after a load names the page of another site that led to it, later ones do not', async () => {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue('https://news.example/vat?q=ada');
  await visits.logVisit('/', '');
  await visits.logVisit('/shop', '');
  expect(sent().map((visit) => visit.Referrer)).toEqual(['https://news.example/vat', undefined]);
});

test('a page of this site is no referrer', async () => {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue(`${window.location.origin}/about`);
  await visits.logVisit('/', '');
  expect(sent()[0]).not.toHaveProperty('Referrer');
});

/** The document that replaces this one: its code starts anew, and the tab's storage stays. */
async function nextDocument(): Promise<typeof Visits> {
  jest.resetModules();
  return import('./visits');
}

/** Loads the page anew, as a page of another policy or a lost chunk does. jsdom logs that it cannot. */
async function reloadAt(address: string): Promise<void> {
  jest.spyOn(console, 'error').mockImplementation();
  window.history.replaceState(null, '', address);
  const { reloadPage } = await import('../browser/reload');
  reloadPage();
}

test('a visit is counted once when the document is loaded anew, and what could not be sent goes out then', async () => {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue('https://news.example/vat');
  await visits.logVisit('/a', '');
  answerOnce(503);
  await visits.logVisit('/b', '?page=2');
  await reloadAt('/b?page=2#top');
  jest.advanceTimersByTime(1_000);
  const next = await nextDocument();
  await next.logVisit('/b', '?page=2');
  await next.logVisit('/c', '');
  await next.logVisit('/b', '?page=2');
  expect(urls()).toEqual(['/a', '/b?page=2', '/b?page=2', '/c', '/b?page=2']);
  expect(sent()[2]).toEqual(sent()[1]);
  expect(sent()[3]).not.toHaveProperty('Referrer');
});

test.each([
  ['one of another address', '/login', 0],
  ['one that comes much later', '/b', 15_000],
])('after a handed over visit, %s counts', async (_, address, passed) => {
  await visits.logVisit('/b', '');
  await reloadAt('/b');
  jest.advanceTimersByTime(passed);
  await (await nextDocument()).logVisit(address, '');
  expect(urls()).toEqual(['/b', address]);
});

test('a document that is loaded anew before its first visit leaves that to the next one', async () => {
  await reloadAt('/b');
  await (await nextDocument()).logVisit('/b', '');
  expect(urls()).toEqual(['/b']);
});

test('it outlives the page: sent with keepalive, and forgotten once it is safe', async () => {
  await visits.logVisit('/', '');
  expect([fetching.mock.calls[0]?.[0], fetching.mock.calls[0]?.[1].keepalive]).toEqual([
    '/api/SetAAUserTraceLog',
    true,
  ]);
  expect(storedCount()).toBe(0);
});

test('a visit is stored before it is sent, so that leaving the page loses nothing', () => {
  fetching.mockImplementation(() => new Promise(() => undefined));
  void visits.logVisit('/', '');
  expect(storedCount()).toBe(1);
});

test.each([
  ['503', () => answerOnce(503)],
  ['no answer', () => fetching.mockRejectedValueOnce(new TypeError('offline'))],
])('after %s the next visit takes it along, under the same EventID', async (_, fail) => {
  fail();
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(1_000);
  await visits.logVisit('/b', '');
  expect(urls()).toEqual(['/a', '/b', '/a']);
  expect(sent()[2]).toEqual(sent()[0]);
  expect(storedCount()).toBe(0);
});

test('Retry-After of a 429 is waited for', async () => {
  answerOnce(429, { 'Retry-After': '30' });
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(29_999);
  await visits.resendVisits();
  expect(urls()).toEqual(['/a']);
  jest.advanceTimersByTime(1);
  await visits.resendVisits();
  expect(urls()).toEqual(['/a', '/a']);
  expect(storedCount()).toBe(0);
});

test('resending stops at the first failure; the rest stays stored', async () => {
  for (const url of ['/a', '/b']) {
    answerOnce(503);
    await visits.logVisit(url, '');
    jest.advanceTimersByTime(1_000);
  }
  answerOnce(503);
  await visits.resendVisits();
  expect(urls()).toEqual(['/a', '/b', '/a']);
  expect(storedCount()).toBe(2);
});

test('two askers resend once', async () => {
  answerOnce(503);
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(1_000);
  await Promise.all([visits.resendVisits(), visits.resendVisits()]);
  expect(urls()).toEqual(['/a', '/a']);
});

test('what is on its way is not sent a second time', async () => {
  let arrive: (response: Response) => void = () => undefined;
  fetching.mockImplementationOnce(() => new Promise((resolve) => (arrive = resolve)));
  const first = visits.logVisit('/a', '');
  await visits.resendVisits();
  arrive(OK());
  await first;
  expect(urls()).toEqual(['/a']);
});

test.each([400, 403, 413, 422])('a visit the host will never take (%d) is dropped', async (status) => {
  answerOnce(status);
  await visits.logVisit('/a', '');
  expect(storedCount()).toBe(0);
});

test('a refused visit does not hold up the ones that wait', async () => {
  answerOnce(503);
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(1_000);
  answerOnce(422);
  await visits.logVisit('/b', '');
  expect(urls()).toEqual(['/a', '/b', '/a']);
  expect(storedCount()).toBe(0);
});

test('of 101 unsent visits the oldest is given up', async () => {
  fetching.mockRejectedValue(new TypeError('offline'));
  for (let number = 0; number <= 100; number += 1) {
    jest.advanceTimersByTime(1);
    await visits.logVisit(`/${number}`, '');
  }
  expect(storedCount()).toBe(100);
  fetching.mockReset().mockImplementation(async () => OK());
  jest.advanceTimersByTime(1_000);
  await visits.resendVisits();
  expect([urls().length, urls()[0], urls()[99]]).toEqual([100, '/1', '/100']);
});

test('with storage refused the page itself remembers', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem', 'key'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
  }
  answerOnce(503);
  await visits.logVisit('/a', '');
  jest.advanceTimersByTime(1_000);
  await visits.logVisit('/b', '');
  expect(urls()).toEqual(['/a', '/b', '/a']);
  await visits.resendVisits();
  expect(urls()).toHaveLength(3);
});
