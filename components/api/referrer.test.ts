import { setCookie } from '../fixtures/setCookie';
import { referrerName } from './referrer';

const calls = jest.fn();

function mockResponse(status: number, name: string) {
  globalThis.fetch = (async (_: string, { body }: RequestInit) => {
    calls(JSON.parse(String(body)));
    return new Response(JSON.stringify({ Status: 'success', Username: name }), { status });
  }) as unknown as typeof fetch;
}

beforeEach(() => {
  calls.mockReset();
  window.sessionStorage.clear();
  setCookie('Stunum=S-1');
});

test('the referrer is fetched once per session', async () => {
  mockResponse(200, 'Ada L.');
  expect([await referrerName(), await referrerName()]).toEqual(['Ada L.', 'Ada L.']);
  expect(calls.mock.calls).toEqual([[{ Stunum: 'S-1' }]]);
});

test('an unknown number shows no name and is not fetched again', async () => {
  mockResponse(200, '');
  expect([await referrerName(), await referrerName(), calls.mock.calls.length]).toEqual(['', '', 1]);
});

test('a failure shows no name, and the next page fetches again', async () => {
  mockResponse(503, '');
  expect([await referrerName(), await referrerName(), calls.mock.calls.length]).toEqual(['', '', 2]);
});

test('without a student’s link there is no request', async () => {
  setCookie('Stunum=; max-age=0');
  expect([await referrerName(), calls.mock.calls.length]).toEqual(['', 0]);
});
