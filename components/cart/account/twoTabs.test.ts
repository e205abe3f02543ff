import { answerCall, type CartHost } from '../../fixtures/cartHost';
import { mockToasts, resetBrowser, signIn } from '../../fixtures/cartServer';
import { USD } from '../../fixtures/currencies';

jest.doMock('../../ui/toasts/toasts', mockToasts);

const RUNS = 100;
const PRESSES = 20;
const LINES = 4;
const MAX_DELAY_MS = 3000;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A clock that runs only in `pass`. Timers of jest would cost a millisecond of the real one each. */
class Clock {
  now = 0;
  due: { at: number; run: () => void }[] = [];

  after(delayMs: number, run: () => void): void {
    this.due.push({ at: this.now + delayMs, run });
  }

  async pass(delayMs: number): Promise<void> {
    const until = this.now + delayMs;
    const first = () => this.due.sort((a, b) => a.at - b.at)[0];
    for (let next = first(); next && next.at <= until; next = first()) {
      this.due.shift();
      this.now = next.at;
      next.run();
      await settled();
    }
    this.now = until;
  }
}

/** After everything that promises have to do: more turns than any of their chains here is long. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await null;
}

/** A tab: its own modules, with the browser's cookies and storage. */
function openTab() {
  let tab = {} as {
    actions: typeof import('../actions/cartActions');
    quote: typeof import('../actions/refetchQuote');
    store: typeof import('../store/storedCart');
    auth: typeof import('../../api/auth');
  };
  jest.isolateModules(() => {
    tab = {
      actions: require('../actions/cartActions'),
      quote: require('../actions/refetchQuote'),
      store: require('../store/storedCart'),
      auth: require('../../api/auth'),
    };
    require('../../browser/storage/siteCurrency').setSiteCurrency(USD);
    require('../../browser/session/otherTabs').followOtherTabs(() => tab.store.currentCart());
  });
  return tab;
}

type Tab = ReturnType<typeof openTab>;

const TABS = [openTab(), openTab()];
const checkSignIn = () => TABS.map((tab) => tab.auth.refreshAuth());

type Run = { next: () => number; clock: Clock; host: CartHost; failures: number; hasVersions: boolean };

/** The host behind a slow network: requests and answers overtake one another. `failures`: the share of calls that fail. */
function serve({ next, clock, host, failures, hasVersions }: Run): void {
  const wait = () => new Promise<void>((resolve) => clock.after((next() * MAX_DELAY_MS) / 2, resolve));
  globalThis.fetch = (async (address: string, { method, body }: RequestInit) => {
    await wait();
    const isRefused = next() < failures;
    const request = body === undefined ? null : JSON.parse(String(body));
    const answer = isRefused
      ? { status: 503, body: { title: 'Busy' }, version: 0 }
      : answerCall(host, method ?? 'GET', address.replace('/api', ''), request);
    const text = JSON.stringify(answer.body, (key, value) =>
      key === 'version' && !hasVersions ? undefined : value,
    );
    await wait();
    if (next() < failures) throw new TypeError('Failed to fetch');
    const headers = new Headers(hasVersions ? [['X-Cart-Version', String(answer.version)]] : []);
    return { ok: answer.status === 200, status: answer.status, headers, json: async () => JSON.parse(text) };
  }) as unknown as typeof fetch;
}

/** The browser tells its tabs, a little later, what was stored. */
function announceStorage({ next, clock }: Run): void {
  let isDue = false;
  const announce = () => {
    isDue = false;
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
  };
  for (const name of ['setItem', 'removeItem'] as const) {
    const original = Storage.prototype[name];
    jest.spyOn(Storage.prototype, name).mockImplementation(function (this: Storage, ...args: string[]) {
      original.apply(this, args as [string, string]);
      if (!isDue) clock.after(next() * 20, announce);
      isDue = true;
    });
  }
}

async function press({ actions, quote, store }: Tab, next: () => number): Promise<void> {
  const { lines } = store.currentCart();
  const line = lines[Math.floor(next() * lines.length)];
  if (!line || next() < 0.1) return quote.refetchQuote();
  if (next() < 0.2) return actions.removeLines([line]);
  if (next() < 0.1) return actions.undoRemove([{ line, place: 0 }]);
  return actions.changeQuantity(line, line.quantity + (next() < 0.5 ? 1 : -1));
}

const shown = (lines: readonly { id: number; quantity: number }[]) =>
  lines.map(({ id, quantity }) => `${quantity} × ${id}`).sort();

/** What the server, the storage and both tabs have in the end. */
async function play(seed: number, failures: number, hasVersions = true): Promise<string[][]> {
  resetBrowser();
  checkSignIn();
  signIn(7);
  checkSignIn();
  const [next, clock] = [random(seed), new Clock()];
  const quantities = new Map(Array.from({ length: LINES }, (_, n) => [n + 1, 5] as const));
  const run = { next, clock, host: { quantities, version: 1 }, failures, hasVersions };
  serve(run);
  announceStorage(run);
  const pressed: Promise<void>[] = TABS.map((tab) => tab.quote.refetchQuote());
  await clock.pass(2 * MAX_DELAY_MS);
  for (let count = 0; count < PRESSES; count += 1) {
    const tab = TABS[next() < 0.5 ? 0 : 1];
    if (tab) pressed.push(press(tab, next));
    await clock.pass(next() * 400);
  }
  await clock.pass(4 * PRESSES * MAX_DELAY_MS);
  await Promise.all(pressed);
  jest.restoreAllMocks();
  const stored = TABS[0]?.store.storedCart().lines ?? [];
  const atServer = [...quantities].map(([id, quantity]) => ({ id, quantity }));
  return [atServer, stored, ...TABS.map((tab) => tab.store.currentCart().lines)].map(shown);
}

const isEqual = ([server, ...others]: string[][]) => others.every((cart) => `${cart}` === `${server}`);

/** The first of the seeds after which the ends differ. */
async function firstUnequal(runs: number, failures: number, hasVersions = true): Promise<unknown> {
  for (let seed = 1; seed <= runs; seed += 1) {
    const ends = await play(seed, failures, hasVersions);
    if (!isEqual(ends)) return { seed, ends };
  }
  return null;
}

test(`after ${PRESSES} quick presses in two tabs, browser and server are equal`, async () => {
  expect(await firstUnequal(RUNS, 0)).toBeNull();
});

test('also when calls fail, or their answers are lost', async () => {
  expect(await firstUnequal(RUNS / 5, 0.03)).toBeNull();
});

test('without versions in the answers, an older answer of one tab replaces a newer one of the other', async () => {
  expect(await firstUnequal(RUNS, 0, false)).not.toBeNull();
});
