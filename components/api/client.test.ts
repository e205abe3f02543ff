import { setCookie } from '../fixtures/setCookie';
import { ApiProblem, get, patch, post, put, setBase } from './client';

const fetching = jest.fn<Promise<Response>, [string, RequestInit]>();

beforeEach(() => {
  fetching.mockReset().mockResolvedValue(new Response('{"Status":"success"}'));
  globalThis.fetch = fetching as unknown as typeof fetch;
  setBase('/api');
});

afterEach(() => {
  setCookie('userInfo=; max-age=0');
});

function signIn(value: unknown) {
  setCookie(`userInfo=${encodeURIComponent(JSON.stringify(value))}`);
}

function sent(): RequestInit & { headers: Record<string, string> } {
  return fetching.mock.calls[0]?.[1] as RequestInit & { headers: Record<string, string> };
}

async function refused(call: Promise<unknown>): Promise<ApiProblem> {
  const problem: unknown = await call.catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(ApiProblem);
  return problem as ApiProblem;
}

test.each([
  ['GET', () => get('/x'), undefined],
  ['POST', () => post('/x', { a: 1 }), '{"a":1}'],
  ['PUT', () => put('/x', [2]), '[2]'],
  ['PATCH', () => patch('/x', null), 'null'],
] as const)('%s sends its body as JSON and returns the answer', async (method, call, body) => {
  expect(await call()).toEqual({ Status: 'success' });
  expect([fetching.mock.calls[0]?.[0], sent().method, sent().body]).toEqual(['/api/x', method, body]);
  expect(sent().headers['Content-Type']).toBe(body === undefined ? undefined : 'application/json');
});

test('the base address is a setting', async () => {
  setBase('https://calls.example.org/v1');
  await get('/x');
  expect(fetching.mock.calls[0]?.[0]).toBe('https://calls.example.org/v1/x');
});

test('a call may bring headers of its own', async () => {
  await post('/x', {}, { headers: { 'X-Device-Fingerprint': 'abc' } });
  expect(sent().headers['X-Device-Fingerprint']).toBe('abc');
});

test('the bearer goes along whenever userInfo holds a token', async () => {
  signIn({ accessToken: 'secret', user: { AAUserID: 7, Email: 'ada@example.test' } });
  await get('/x');
  expect(sent().headers.Authorization).toBe('Bearer secret');
});

test('signed out, there is no authorization at all', async () => {
  await get('/x');
  expect(sent().headers).toEqual({ Accept: 'application/json' });
});

test('a call may take 500,000 ms', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  await get('/x');
  expect(timeout).toHaveBeenCalledWith(500_000);
  expect(sent().signal).toBe(timeout.mock.results[0]?.value);
});

test('a caller may give up earlier', async () => {
  const giveUp = new AbortController();
  await get('/x', { signal: giveUp.signal });
  expect(sent().signal?.aborted).toBe(false);
  giveUp.abort();
  expect(sent().signal?.aborted).toBe(true);
});

test('a refusal carries title, detail, errors and the wait', async () => {
  const body = {
    type: 'about:blank',
    title: 'Too many',
    status: 429,
    detail: 'Wait.',
    errors: { Code: 'no' },
  };
  fetching.mockResolvedValue(
    new Response(JSON.stringify(body), { status: 429, headers: { 'Retry-After': '7' } }),
  );
  const problem = await refused(post('/x', {}));
  expect([problem.status, problem.title, problem.detail, problem.errors, problem.retryAfterS]).toEqual([
    429,
    'Too many',
    'Wait.',
    { Code: 'no' },
    7,
  ]);
});

test('a refusal that is not JSON still names its status', async () => {
  fetching.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const problem = await refused(get('/x'));
  expect([problem.status, problem.message, problem.errors, problem.retryAfterS]).toEqual([
    502,
    'Status 502',
    {},
    null,
  ]);
});

test.each([
  ['no connection', new TypeError('failed'), 'The site could not be reached. Check your connection.'],
  ['time-out', new DOMException('late', 'TimeoutError'), 'The site took too long to answer.'],
  [
    'time-out in Chrome before 124',
    new DOMException('late', 'AbortError'),
    'The site took too long to answer.',
  ],
])('%s is status 0 with a sentence', async (_, cause, detail) => {
  fetching.mockRejectedValue(cause);
  const problem = await refused(get('/x'));
  expect([problem.status, problem.detail]).toEqual([0, detail]);
});
