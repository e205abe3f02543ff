/** @jest-environment node */
import type { Reviews } from '../components/contracts/schema';
import { card, cards, course, home, item, review, SITE, shop } from '../components/fixtures/renderInShop';
import type { Job } from './job';
import { loadPages, renderComplete, renderStream, type StreamedRender } from './render';

const REVIEWS: Reviews = { items: [review({ body: 'Worth every minute.' })], counts: [0, 0, 0, 1, 0] };

beforeAll(loadPages);

function job(overrides: Partial<Job>): Job {
  const base = {
    mode: 'stream',
    nonce: 'abc123',
    requestId: '',
    url: '/',
    page: 'home',
    status: 200,
    deferred: [],
  } as const;
  return { ...base, deferred: [], site: SITE, props: {}, ...overrides };
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

/** The batches of a streamed job; `during` delivers parts to it while it runs. */
async function streamed(
  pageJob: Job,
  during: (render: StreamedRender, batches: string[]) => unknown = () => undefined,
) {
  const batches: string[] = [];
  let render: StreamedRender | undefined;
  const ended = new Promise<string | null>((resolve) => {
    render = renderStream(pageJob, {
      onMarkup: (markup) => batches.push(markup.toString()),
      onEnd: () => resolve(null),
      onFailure: resolve,
    });
  });
  await during(render as StreamedRender, batches);
  return { batches, failure: await ended };
}

/** Resolves when the shell's batch has come. */
async function shell(batches: string[]): Promise<void> {
  while (batches.length === 0) await new Promise(setImmediate);
}

const scriptsOf = (html: string) => html.match(/<script\b[^>]*>/g) ?? [];

describe.each(PAGES)('%s', (_, pageJob) => {
  test('the stream has the bytes of the complete page when nothing is pending', async () => {
    const { batches, failure } = await streamed(pageJob);
    expect(failure).toBeNull();
    expect(batches.join('')).toBe(renderComplete({ ...pageJob, mode: 'whole', nonce: null }));
  });

  test('the complete page has no script', () => {
    expect(scriptsOf(renderComplete({ ...pageJob, mode: 'whole', nonce: null }))).toEqual([]);
  });
});

test('the shell comes first, with a placeholder for each deferred part', async () => {
  const { batches } = await streamed(LATER, async (render, received) => {
    await shell(received);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('Payroll Basics');
    expect(received[0]).toContain('Loading reviews');
    expect(received[0]).not.toContain('Worth every minute.');
    render.deliver('reviews', REVIEWS);
    render.deliver('related', cards(2));
  });
  expect(batches.slice(1).join('')).toContain('Worth every minute.');
});

test('parts may come in any order, each is rendered when it comes', async () => {
  const { batches } = await streamed(LATER, async (render, received) => {
    await shell(received);
    render.deliver('related', [card({ name: 'Payroll Tomorrow' })]);
    while (received.length === 1) await new Promise(setImmediate);
    expect(received.at(-1)).toContain('Payroll Tomorrow');
    render.deliver('reviews', REVIEWS);
  });
  expect(batches.length).toBeGreaterThan(2);
});

test('a part that could not be loaded is replaced by a message', async () => {
  const { batches } = await streamed(LATER, (render) => {
    render.deliver('reviews', null);
    render.deliver('related', []);
  });
  expect(batches.join('')).toContain('This part could not be loaded.');
});

test('a part delivered twice, or not deferred, changes nothing', async () => {
  const { batches, failure } = await streamed(LATER, (render) => {
    render.deliver('nonsense', { a: 1 });
    render.deliver('reviews', REVIEWS);
    render.deliver('reviews', null);
    render.deliver('related', []);
  });
  expect([failure, batches.join('').includes('could not be loaded')]).toEqual([null, false]);
});

test('every inline script carries the nonce', async () => {
  const { batches } = await streamed(LATER, async (render, received) => {
    await shell(received);
    render.deliver('reviews', REVIEWS);
    render.deliver('related', cards(2));
  });
  const scripts = scriptsOf(batches.join(''));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((tag) => !tag.includes('nonce="abc123"'))).toEqual([]);
});

test('no batch ends inside a tag', async () => {
  const { batches } = await streamed(LATER, async (render, received) => {
    await shell(received);
    render.deliver('related', cards(4));
    await new Promise(setImmediate);
    render.deliver('reviews', { ...REVIEWS, items: Array.from({ length: 200 }, (_, id) => review({ id })) });
  });
  for (const batch of batches) {
    const text = batch.replace(/<script\b[\s\S]*?<\/script>/g, '').replace(/<[^<>]*>/g, '');
    expect(text).not.toMatch(/[<>]/);
  }
});

test('at the deadline the stream ends in order and open parts are left to the browser', async () => {
  const { batches, failure } = await streamed(LATER, async (render, received) => {
    await shell(received);
    render.deliver('related', []);
    render.finish();
  });
  expect(failure).toBeNull();
  expect(batches.join('')).toContain('Loading reviews');
  expect(batches.slice(1).join('')).toMatch(/<script nonce="abc123">/);
});

test('a job whose shell is not ready at the deadline fails', async () => {
  const { failure } = await streamed(LATER, (render) => render.finish());
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

test('a page that throws fails with the reason', async () => {
  const { failure, batches } = await streamed({ ...COURSE, props: {} });
  expect(batches).toEqual([]);
  expect(failure).toMatch(/undefined/);
  expect(() => renderComplete({ ...COURSE, mode: 'whole', props: {} })).toThrow(/undefined/);
});

test('an unknown page fails', async () => {
  const { failure } = await streamed(job({ page: 'nonsense' }));
  expect(failure).toBe('The page nonsense was not loaded before it was rendered');
});

test.each([
  ['cart', 'Cart'],
  ['wishlist', 'Wishlist'],
])('%s waits for the authentication check under its own heading', (page, title) => {
  const markup = renderComplete(job({ page, url: `/${page}`, props: { title, html: '' } }));
  const [waiting] = markup.match(/<div class="loading-view" role="status">.*?<\/div>/) ?? [];
  expect(waiting).toContain(`<h1 class="sr-only">${title}</h1>`);
  expect(markup.match(/<h1/g)).toHaveLength(1);
});
