import type { PageData } from '../contracts/schema';
import { setCookie } from '../fixtures/setCookie';
import type * as LatestBuild from './latestBuild';
import type * as Pages from './pages';

const fetching = jest.fn<Promise<Response>, [string, RequestInit]>();
let pages: typeof Pages;
let isReplaced: typeof LatestBuild.isReplaced;

beforeEach(async () => {
  jest.useFakeTimers();
  jest.resetModules();
  fetching.mockReset();
  fetching.mockImplementation(async (address) => responding(address));
  globalThis.fetch = fetching as unknown as typeof fetch;
  pages = await import('./pages');
  ({ isReplaced } = await import('./latestBuild'));
});

afterEach(() => jest.useRealTimers());

function responding(address: string, build = 'a', status = 200): Response {
  const page = { page: 'shop', status, head: {}, props: { address } };
  return new Response(JSON.stringify(page), { status, headers: { 'X-Build': build } });
}

function calls(): string[] {
  return fetching.mock.calls.map(([address]) => address);
}

test('a page is fetched as data, with any status', async () => {
  fetching.mockImplementation(async (address) => responding(address, 'a', 404));
  const page = (await pages.getPage('/shop?page=2', 'a', false)) as PageData;
  expect(calls()).toEqual(['/data/shop?page=2']);
  expect([page.status, page.props]).toEqual([404, { address: '/data/shop?page=2' }]);
});

test('page data, the check for a newer build and its manifest carry the bearer token', async () => {
  setCookie(`userInfo=${encodeURIComponent('{"accessToken":"t","user":{"AAUserID":7}}')}`);
  await pages.getPage('/shop', 'a', false);
  await isReplaced('a');
  setCookie('userInfo=; max-age=0');
  await pages.getPage('/about', 'a', false);
  const sent = fetching.mock.calls.map(([, { headers }]) => new Headers(headers).get('Authorization'));
  expect(sent).toEqual(['Bearer t', 'Bearer t', 'Bearer t', null]);
});

test('what the pointer announced is there when the click comes, for 30 s', async () => {
  await Promise.all([pages.getPage('/shop', 'a', false), pages.getPage('/shop', 'a', false)]);
  expect(calls()).toHaveLength(1);
  jest.setSystemTime(Date.now() + 30_000);
  await pages.getPage('/shop', 'a', false);
  expect(calls()).toHaveLength(2);
});

test('coming back shows what was seen for five minutes', async () => {
  await pages.getPage('/shop', 'a', false);
  jest.setSystemTime(Date.now() + 299_999);
  await pages.getPage('/shop', 'a', true);
  expect(calls()).toHaveLength(1);
  jest.setSystemTime(Date.now() + 1);
  await pages.getPage('/shop', 'a', true);
  expect(calls()).toHaveLength(2);
});

test('after a change everything is fetched again', async () => {
  await pages.getPage('/shop', 'a', false);
  pages.forgetPages();
  await pages.getPage('/shop', 'a', true);
  expect(calls()).toHaveLength(2);
});

test('the first page is cached as the document had it', async () => {
  const first = { page: 'error', status: 200, head: {}, props: {} } as unknown as PageData;
  pages.cachePage('/', first);
  expect(await pages.getPage('/', 'a', true)).toBe(first);
  expect(calls()).toEqual([]);
});

test('the thirty-first page pushes the oldest out', async () => {
  for (let number = 0; number <= 30; number += 1) await pages.getPage(`/shop?page=${number}`, 'a', false);
  await pages.getPage('/shop?page=1', 'a', true);
  expect(calls()).toHaveLength(31);
  await pages.getPage('/shop?page=0', 'a', true);
  expect(calls()).toHaveLength(32);
});

test('a failed fetch is not cached', async () => {
  fetching.mockRejectedValueOnce(new TypeError('offline'));
  await expect(pages.getPage('/shop', 'a', false)).rejects.toThrow('offline');
  await pages.getPage('/shop', 'a', false);
  expect(calls()).toHaveLength(2);
});

test.each([404, 410, 503])('an error page (%i) is fetched again, also when coming back', async (status) => {
  fetching.mockImplementationOnce(async (address) => responding(address, 'a', status));
  await pages.getPage('/shop', 'a', false);
  expect(await pages.getPage('/shop', 'a', true)).toMatchObject({ status: 200 });
  expect(calls()).toHaveLength(2);
});

test('a document that was an error page is not cached either', async () => {
  pages.cachePage('/shop', { page: 'error', status: 503, head: {}, props: {} } as unknown as PageData);
  await Promise.resolve();
  expect(await pages.getPage('/shop', 'a', true)).toMatchObject({ status: 200 });
});

test('a moved address gives the new one', async () => {
  fetching.mockResolvedValue(new Response('{"location":"/course-details?course=x"}'));
  expect(await pages.getPage('/course-details?id=7', 'a', false)).toEqual({
    location: '/course-details?course=x',
  });
});

test.each([
  ['a', false],
  ['b', true],
])('an answer of build %s to build a: stale is %s', async (build, stale) => {
  fetching.mockImplementation(async (address) => responding(address, build));
  await pages.getPage('/shop', 'a', false);
  expect((await import('./builds')).isStale()).toBe(stale);
});
