import type * as ClientErrors from './clientErrors';

let reports: { body: Record<string, unknown>; keepalive: boolean | undefined }[];
let module: typeof ClientErrors;

beforeEach(async () => {
  reports = [];
  document.body.innerHTML =
    '<script type="application/json" id="state">{"page":"shop","site":{"build":"0a"}}</script>';
  globalThis.fetch = async (_address, options) => {
    reports.push({ body: JSON.parse(String(options?.body)), keepalive: options?.keepalive });
    return Response.json({ status: 'logged' }, { status: 202 });
  };
  jest
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([
      { serverTiming: [{ name: 'request', description: '00ff' }] } as unknown as PerformanceEntry,
    ]);
  jest.resetModules();
  module = await import('./clientErrors');
});

function errorWith(message: string, ...frames: string[]): Error {
  const error = new TypeError(message);
  error.stack = [`TypeError: ${message}`, ...frames].join('\n');
  return error;
}

const OWN = '    at f (https://shop.example/static/dist/c/ShopPage-AB12.js:1:234)';
const EXTENSION = '    at g (chrome-extension://abc/content.js:9:9)';

test('a report has message, positions in our scripts, page, build and request id, and outlives the page', async () => {
  const firefox = 'h@https://shop.example/static/dist/client-CD34.js:2:10';
  await module.reportClientError(errorWith('x is undefined', OWN, EXTENSION, firefox));
  expect(reports).toEqual([
    {
      keepalive: true,
      body: {
        message: 'TypeError: x is undefined',
        stack: ['c/ShopPage-AB12.js:1:234', 'client-CD34.js:2:10'],
        page: 'shop',
        build: '0a',
        requestId: '00ff',
      },
    },
  ]);
});

test('after client navigation a report names the page on screen and the request of its data', async () => {
  const pages = await import('./pages');
  const { fetch } = globalThis;
  globalThis.fetch = async () =>
    Response.json({ page: 'about', status: 200 }, { headers: { 'X-Request-Id': '11ee' } });
  const page = await pages.getPage('/about', '0a', false);
  if (!('location' in page)) pages.setCurrentPage(page);
  globalThis.fetch = fetch;
  await module.reportClientError(errorWith('x', OWN));
  expect(reports[0]?.body).toMatchObject({ page: 'about', requestId: '11ee' });
});

test('of a private page, whose state is removed once it is read, errors are reported too', async () => {
  const session = '"session":{"learner":{"id":1}}';
  const state = document.getElementById('state') as HTMLElement;
  state.textContent = `{"page":"admin",${session},"site":{"build":"0a"}}`;
  (await import('../browser/pageState')).readState();
  expect(document.getElementById('state')).toBeNull();
  await module.reportClientError(errorWith('x', OWN));
  expect(reports[0]?.body).toMatchObject({ page: 'admin', build: '0a' });
});

test.each<[string, unknown, string]>([
  ['a text', 'stopped', 'stopped'],
  ['an object', { learner: 'Ada' }, 'thrown value of type object'],
  ['a long message', errorWith('x'.repeat(900), OWN), `TypeError: ${'x'.repeat(489)}`],
])('%s is reported without its content', async (_, error, message) => {
  await module.reportClientError(error);
  expect(reports.map(({ body }) => body.message)).toEqual([message]);
});

test('an error in scripts of others alone is not reported', async () => {
  await module.reportClientError(errorWith('theirs', EXTENSION));
  expect(reports).toEqual([]);
});

test('the same error is reported once, and at most five of a document', async () => {
  for (let count = 0; count < 3; count += 1) await module.reportClientError(errorWith('again', OWN));
  expect(reports).toHaveLength(1);
  for (let count = 0; count < 9; count += 1)
    await module.reportClientError(errorWith(`number ${count}`, OWN));
  expect(reports).toHaveLength(5);
});

test('a report that fails is lost without a further error', async () => {
  globalThis.fetch = async () => Response.json({ title: 'Too many requests' }, { status: 429 });
  await expect(module.reportClientError(errorWith('x', OWN))).resolves.toBeUndefined();
});
