/** @jest-environment node */
import type { Reviews } from '../components/api/pageProps';
import { card, cards, course, home, item, review, SITE, shop } from '../components/ui/factories';
import type { Job } from './job';
import { type Drawing, drawStream, drawWhole, loadPages } from './render';

const REVIEWS: Reviews = { items: [review({ body: 'Worth every minute.' })], counts: [0, 0, 0, 1, 0] };

beforeAll(loadPages);

function job(given: Partial<Job>): Job {
  const base = {
    mode: 'stream',
    nonce: 'abc123',
    url: '/',
    page: 'home',
    status: 200,
    deferred: [],
  } as const;
  return { ...base, deferred: [], site: SITE, props: {}, ...given };
}

const COURSE = job({
  page: 'course-details',
  url: '/course-details?course=payroll-basics',
  props: { ...course() },
});
const LATER: Job = { ...COURSE, deferred: ['reviews', 'related'] };
const PAGES: [string, Job][] = [
  ['home', job({ props: { ...home() } })],
  ['shop', job({ page: 'shop', url: '/shop?page=2', props: { ...shop() } })],
  ['a course', { ...COURSE, props: { ...COURSE.props, reviews: REVIEWS, related: cards(4) } }],
  ['an item', job({ page: 'shop-details', url: '/shop-details/90', props: { ...item(), related: [] } })],
  [
    'the error page',
    job({ page: 'error', url: '/x', props: { status: 404, message: 'm', suggestions: [] } }),
  ],
];

/** Everything a streamed job says, batch by batch; `during` steers it while it runs. */
async function streamed(
  one: Job,
  during: (drawing: Drawing, batches: string[]) => unknown = () => undefined,
) {
  const batches: string[] = [];
  let drawing: Drawing | undefined;
  const ended = new Promise<string | null>((resolve) => {
    drawing = drawStream(one, {
      onMarkup: (markup) => batches.push(markup.toString()),
      onEnd: () => resolve(null),
      onFailure: resolve,
    });
  });
  await during(drawing as Drawing, batches);
  return { batches, failure: await ended };
}

/** Resolves when the shell's batch has come. */
async function shell(batches: string[]): Promise<void> {
  while (batches.length === 0) await new Promise(setImmediate);
}

const scriptsOf = (html: string) => html.match(/<script\b[^>]*>/g) ?? [];

describe.each(PAGES)('%s', (_, one) => {
  test('streamed and drawn whole is the same to the byte when nothing is pending', async () => {
    const { batches, failure } = await streamed(one);
    expect(failure).toBeNull();
    expect(batches.join('')).toBe(drawWhole({ ...one, mode: 'whole', nonce: null }));
  });

  test('the whole page runs no script', () => {
    expect(scriptsOf(drawWhole({ ...one, mode: 'whole', nonce: null }))).toEqual([]);
  });
});

test('the shell comes first, with a place kept for what is deferred', async () => {
  const { batches } = await streamed(LATER, async (drawing, said) => {
    await shell(said);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('Payroll Basics');
    expect(said[0]).toContain('Loading reviews');
    expect(said[0]).not.toContain('Worth every minute.');
    drawing.deliver('reviews', REVIEWS);
    drawing.deliver('related', cards(2));
  });
  expect(batches.slice(1).join('')).toContain('Worth every minute.');
});

test('parts may come in any order, each drawn when it comes', async () => {
  const { batches } = await streamed(LATER, async (drawing, said) => {
    await shell(said);
    drawing.deliver('related', [card({ name: 'Payroll Tomorrow' })]);
    while (said.length === 1) await new Promise(setImmediate);
    expect(said.at(-1)).toContain('Payroll Tomorrow');
    drawing.deliver('reviews', REVIEWS);
  });
  expect(batches.length).toBeGreaterThan(2);
});

test('a part that could not be had says so in its place', async () => {
  const { batches } = await streamed(LATER, (drawing) => {
    drawing.deliver('reviews', null);
    drawing.deliver('related', []);
  });
  expect(batches.join('')).toContain('This part could not be loaded.');
});

test('a part delivered twice, or never asked for, changes nothing', async () => {
  const { batches, failure } = await streamed(LATER, (drawing) => {
    drawing.deliver('nonsense', { a: 1 });
    drawing.deliver('reviews', REVIEWS);
    drawing.deliver('reviews', null);
    drawing.deliver('related', []);
  });
  expect([failure, batches.join('').includes('could not be loaded')]).toEqual([null, false]);
});

test('every inline script carries the nonce', async () => {
  const { batches } = await streamed(LATER, async (drawing, said) => {
    await shell(said);
    drawing.deliver('reviews', REVIEWS);
    drawing.deliver('related', cards(2));
  });
  const scripts = scriptsOf(batches.join(''));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((tag) => !tag.includes('nonce="abc123"'))).toEqual([]);
});

test('no batch cuts a tag in half', async () => {
  const { batches } = await streamed(LATER, async (drawing, said) => {
    await shell(said);
    drawing.deliver('related', cards(4));
    await new Promise(setImmediate);
    drawing.deliver('reviews', { ...REVIEWS, items: Array.from({ length: 200 }, (_, id) => review({ id })) });
  });
  for (const batch of batches) {
    const text = batch.replace(/<script\b[\s\S]*?<\/script>/g, '').replace(/<[^<>]*>/g, '');
    expect(text).not.toMatch(/[<>]/);
  }
});

test('time is up: what stands is finished, open parts are left to the browser, the stream ends', async () => {
  const { batches, failure } = await streamed(LATER, async (drawing, said) => {
    await shell(said);
    drawing.deliver('related', []);
    drawing.finish();
  });
  expect(failure).toBeNull();
  expect(batches.join('')).toContain('Loading reviews');
  expect(batches.slice(1).join('')).toMatch(/<script nonce="abc123">/);
});

test('time is up before the shell stands: the job has failed', async () => {
  const { failure } = await streamed(LATER, (drawing) => drawing.finish());
  expect(failure).toBe('the shell was not ready in time');
});

test('markup in a name stays text', async () => {
  const name = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
  const props = { ...course({ name }), reviews: REVIEWS, related: [card({ name })] };
  const { batches } = await streamed({ ...COURSE, props });
  const html = batches.join('');
  expect([html.includes('<script>'), html.includes('<img src=x')]).toEqual([false, false]);
  expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
});

test('a page that throws has failed, and says why', async () => {
  const { failure, batches } = await streamed({ ...COURSE, props: {} });
  expect(batches).toEqual([]);
  expect(failure).toMatch(/undefined/);
  expect(() => drawWhole({ ...COURSE, mode: 'whole', props: {} })).toThrow(/undefined/);
});

test('a page nobody knows has failed, too', async () => {
  const { failure } = await streamed(job({ page: 'nonsense' }));
  expect(failure).toBe('The page nonsense was not loaded before it was drawn');
});

test.each([
  ['cart', 'Cart'],
  ['wishlist', 'Wishlist'],
])('%s waits for the authentication check under its own heading', (page, title) => {
  const markup = drawWhole(job({ page, url: `/${page}`, props: { title, html: '' } }));
  const [waiting] = markup.match(/<div class="loading-view" role="status">.*?<\/div>/) ?? [];
  expect(waiting).toContain(`<h1 class="sr-only">${title}</h1>`);
  expect(markup.match(/<h1/g)).toHaveLength(1);
});
