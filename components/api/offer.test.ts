import { offerCookies } from '../browser/cookies';

function answering(status: number, body: unknown) {
  const asked: string[] = [];
  globalThis.fetch = (async (address: string) => {
    asked.push(address);
    return new Response(JSON.stringify(body), { status });
  }) as unknown as typeof fetch;
  return asked;
}

/** As on a new load of the page. */
async function check(): Promise<void> {
  jest.resetModules();
  const { checkOffer } = await import('./offer');
  await checkOffer();
}

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  for (const name of ['id', 'code', 'check']) document.cookie = `specialcoupon${name}=; max-age=0; path=/`;
});

test('an offer is asked for once, and kept with its code', async () => {
  const asked = answering(200, { Status: 'success', CouponID: 4, Coupon: 'SPRING15' });
  await check();
  await check();
  expect(asked).toEqual(['/api/GetSpecialCouponDetail']);
  expect(offerCookies()).toEqual({ id: '4', code: 'SPRING15', wasChecked: true });
});

test('that there is none is kept, too', async () => {
  answering(200, { Status: 'failed', CouponID: 0, Coupon: '' });
  await check();
  expect(offerCookies()).toEqual({ id: '', code: '', wasChecked: true });
});

test('a failed fetch sets nothing, writes one line, and is tried on the next load', async () => {
  const line = jest.spyOn(console, 'info').mockImplementation(() => undefined);
  const asked = answering(503, {});
  await check();
  await check();
  expect([asked.length, line.mock.calls.length, offerCookies().wasChecked]).toEqual([2, 2, false]);
});
