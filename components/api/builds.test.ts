import type * as Builds from './builds';

const REQUEST = { headers: { Accept: 'application/json' }, cache: 'no-store' };
const fetching = jest.fn();
let builds: typeof Builds;

beforeEach(async () => {
  jest.useFakeTimers();
  jest.resetModules();
  fetching.mockReset();
  globalThis.fetch = fetching;
  builds = await import('./builds');
});

afterEach(() => jest.useRealTimers());

async function hourPasses() {
  builds.watchBuilds('a');
  await jest.advanceTimersByTimeAsync(3_600_000);
}

function live(build: unknown) {
  fetching.mockImplementation(async () => new Response(JSON.stringify({ build })));
}

test('the same build every hour changes nothing', async () => {
  live('a');
  const stop = builds.watchBuilds('a');
  await jest.advanceTimersByTimeAsync(3_600_000 * 2);
  expect(fetching.mock.calls).toEqual([
    ['/static/dist/latest-build.json', REQUEST],
    ['/static/dist/latest-build.json', REQUEST],
  ]);
  expect(builds.isStale()).toBe(false);
  stop();
});

test('no request before the hour is over, nor after the watch was stopped', async () => {
  live('b');
  const stop = builds.watchBuilds('a');
  await jest.advanceTimersByTimeAsync(3_599_999);
  stop();
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(fetching).not.toHaveBeenCalled();
});

test('a newer build whose manifest is there makes this one stale', async () => {
  live('b');
  await hourPasses();
  expect(fetching.mock.calls).toEqual([
    ['/static/dist/latest-build.json', REQUEST],
    ['/static/dist/build-b.json', REQUEST],
  ]);
  expect(builds.isStale()).toBe(true);
});

test('a newer build without its manifest is not live yet', async () => {
  fetching.mockImplementation(async (address: string) =>
    address.includes('latest')
      ? new Response('{"build": "b"}')
      : new Response('<h1>Not found</h1>', { status: 404 }),
  );
  await hourPasses();
  expect(builds.isStale()).toBe(false);
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('offline'))],
  ['not JSON', async () => new Response('<h1>deploying</h1>')],
  ['null', async () => new Response('null')],
  ['no build', async (address: string) => new Response(address.includes('latest') ? '{"build": 7}' : 'null')],
])('%s proves nothing', async (_, answer) => {
  fetching.mockImplementation(answer);
  await hourPasses();
  expect(builds.isStale()).toBe(false);
});
