import { offerCookies } from '../browser/storage/cookies';
import { setCookie } from '../fixtures/setCookie';

function mockResponse(status: number, body: unknown) {
  const calls: string[] = [];
  globalThis.fetch = (async (address: string) => {
    calls.push(address);
    return new Response(JSON.stringify(body), { status });
  }) as unknown as typeof fetch;
  return calls;
}

/** As on a new load of the page. */
async function check(): Promise<void> {
  jest.resetModules();
  const { checkOffer } = await import('./offer');
  await checkOffer();
}

beforeEach(() => {
  for (const name of ['id', 'code', 'check']) setCookie(`specialcoupon${name}=; max-age=0`);
});

test('an offer is fetched once, and stored with its code', async () => {
  const calls = mockResponse(200, { Status: 'success', CouponID: 4, Coupon: 'SPRING15' });
  await check();
  await check();
  expect(calls).toEqual(['/api/GetSpecialCouponDetail']);
  expect(offerCookies()).toEqual({ id: '4', code: 'SPRING15', wasChecked: true });
});

test('the absence of an offer is stored too', async () => {
  mockResponse(200, { Status: 'failed', CouponID: 0, Coupon: '' });
  await check();
  expect(offerCookies()).toEqual({ id: '', code: '', wasChecked: true });
});

test('a failed fetch sets nothing, writes one line, and is tried on the next load', async () => {
  const line = jest.spyOn(console, 'info').mockImplementation(() => undefined);
  const calls = mockResponse(503, {});
  await check();
  await check();
  expect([calls.length, line.mock.calls.length, offerCookies().wasChecked]).toEqual([2, 2, false]);
});
