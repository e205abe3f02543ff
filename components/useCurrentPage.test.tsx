import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App';
import type { ContentProps, HeadProps, PageData } from './contracts/schema';
import { SITE } from './fixtures/renderInShop';
import { setCookie } from './fixtures/setCookie';
import { loadPage } from './routes';

type Answer = { resolve: (page: unknown) => void; reject: (cause: unknown) => void };

const answers = new Map<string, Answer[]>();
const visits: string[] = [];
const scrollTo = jest.fn();

beforeEach(() => {
  answers.clear();
  visits.length = 0;
  scrollTo.mockReset();
  window.scrollTo = scrollTo;
  window.sessionStorage.clear();
  // The special offer has been fetched: only requests for pages are left.
  setCookie('specialcouponcheck=1');
  globalThis.fetch = fetching as unknown as typeof fetch;
});

async function fetching(address: string, options: RequestInit): Promise<Response> {
  if (address === '/api/SetAAUserTraceLog') {
    visits.push(JSON.parse(String(options.body)).Url);
    return new Response('{}', { status: 202 });
  }
  return new Promise((resolve, reject) => {
    const answer = { resolve: (page: unknown) => resolve(new Response(JSON.stringify(page))), reject };
    answers.set(address, [...(answers.get(address) ?? []), answer]);
  });
}

function calls(): string[] {
  return [...answers].flatMap(([address, all]) => all.map(() => address));
}

/** Lets the last question for `address` be answered. */
async function answer(address: string, page: PageData | { location: string }) {
  await waitFor(() => expect(answers.has(address)).toBe(true));
  await act(async () => answers.get(address)?.at(-1)?.resolve(page));
}

function content(title: string, links: string[] = []): PageData {
  const html = links.map((href) => `<a href="${href}">to ${href}</a>`).join(' ');
  const head: HeadProps = {
    title: `${title} | Shop`,
    description: title,
    canonical: `http://localhost/${title}`,
    robots: 'index, follow',
    type: 'website',
    image: null,
    jsonLd: [],
  };
  const props: ContentProps = {
    title,
    html,
    updatedAt: '2026-09-15T00:00:00Z',
    refundDays: null,
    crumbs: [],
  };
  return { page: 'about', status: 200, head, props };
}

/** Renders the hydrated site at `address`. Each test has its own addresses, because pages are cached. */
async function open(address: string, first: PageData) {
  window.history.replaceState(null, '', address);
  await loadPage(first.page);
  await act(async () => {
    render(
      <BrowserRouter>
        <App site={SITE} first={first} />
      </BrowserRouter>,
    );
  });
}

async function go(href: string) {
  await userEvent.click(screen.getByRole('link', { name: `to ${href}` }));
}

function heading(name: string) {
  return screen.queryByRole('heading', { name, level: 1 });
}

test("the first page is rendered from the document's data", async () => {
  await open('/about?a', content('First'));
  expect(heading('First')).toBeVisible();
  expect(calls()).toEqual([]);
});

test('a hydrated page is marked on the root element', async () => {
  delete document.documentElement.dataset.hydrated;
  await open('/about?hydrated', content('First'));
  expect(document.documentElement).toHaveAttribute('data-hydrated');
});

test('the old page stays until the new one is there; then title, canonical, scroll and focus follow', async () => {
  await open('/about?b', content('Old', ['/about?b2']));
  await go('/about?b2');
  expect(heading('Old')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Loading page' })).toBeVisible();
  await answer('/data/about?b2', content('New'));
  expect([heading('Old'), heading('New')]).toEqual([null, expect.anything()]);
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(document.title).toBe('New | Shop');
  expect(document.head.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href).toBe(
    'http://localhost/New',
  );
  expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: 'instant' });
  expect(document.activeElement?.id).toBe('main');
});

test('each route change is one visit, the first load included', async () => {
  await open('/about?c', content('Old', ['/about?c2', '#part']));
  await go('/about?c2');
  await answer('/data/about?c2', content('New', ['#part']));
  await act(async () => {
    window.location.hash = '#part';
    await new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  });
  expect(visits).toEqual(['/about?c', '/about?c2']);
});

test('a failure is shown instead of the page, and a retry shows the page', async () => {
  await open('/about?d', content('Old', ['/about?d2']));
  await go('/about?d2');
  await waitFor(() => expect(calls()).toEqual(['/data/about?d2']));
  await act(async () => answers.get('/data/about?d2')?.[0]?.reject(new TypeError('offline')));
  expect(await screen.findByRole('alert')).toHaveTextContent('This page did not load');
  expect(window.location.search).toBe('?d2');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(calls()).toEqual(['/data/about?d2', '/data/about?d2']);
  await answer('/data/about?d2', content('New'));
  expect(await screen.findByRole('heading', { name: 'New' })).toBeVisible();
  expect(document.title).toBe('New | Shop');
});

test('an answer that is no page is a failure, too', async () => {
  await open('/about?e', content('Old', ['/about?e2']));
  await go('/about?e2');
  await answer('/data/about?e2', { ...content('New'), page: 'no-such-page' });
  expect(await screen.findByRole('alert')).toHaveTextContent('This page did not load');
});

test('from a page that failed the way back leads to the page before', async () => {
  await open('/about?f', content('Old', ['/about?f2']));
  await go('/about?f2');
  await waitFor(() => expect(calls()).toHaveLength(1));
  await act(async () => answers.get('/data/about?f2')?.[0]?.reject(new TypeError('offline')));
  await screen.findByRole('alert');
  act(() => window.history.back());
  expect(await screen.findByRole('heading', { name: 'Old' })).toBeVisible();
  // The link under the mouse may be prefetched once more; the page before is not loaded again.
  expect(calls()).not.toContain('/data/about?f');
});

test('the latest click wins, however late the first is answered', async () => {
  await open('/about?g', content('Old', ['/about?g2', '/about?g3']));
  await go('/about?g2');
  await go('/about?g3');
  await answer('/data/about?g3', content('Second'));
  await answer('/data/about?g2', content('First'));
  expect([heading('First'), heading('Second')]).toEqual([null, expect.anything()]);
  expect(document.title).toBe('Second | Shop');
});

test('coming back shows what was seen, without asking', async () => {
  await open('/about?h', content('Old', ['/about?h2']));
  await go('/about?h2');
  await answer('/data/about?h2', content('New'));
  act(() => window.history.back());
  expect(await screen.findByRole('heading', { name: 'Old' })).toBeVisible();
  expect(calls()).toEqual(['/data/about?h2']);
});

test('a link that is pointed at is fetched ahead, and the click finds it there', async () => {
  await open('/about?j', content('Old', ['/about?j2']));
  await userEvent.hover(screen.getByRole('link', { name: 'to /about?j2' }));
  await answer('/data/about?j2', content('New'));
  expect(heading('Old')).toBeVisible();
  await go('/about?j2');
  expect(await screen.findByRole('heading', { name: 'New' })).toBeVisible();
  expect(calls()).toEqual(['/data/about?j2']);
});

test('a failed prefetch is silent; the click fetches again', async () => {
  await open('/about?k', content('Old', ['/about?k2']));
  await userEvent.hover(screen.getByRole('link', { name: 'to /about?k2' }));
  await waitFor(() => expect(calls()).toHaveLength(1));
  await act(async () => answers.get('/data/about?k2')?.[0]?.reject(new TypeError('offline')));
  expect(screen.queryByRole('alert')).toBeNull();
  await go('/about?k2');
  await waitFor(() => expect(calls()).toHaveLength(2));
  await answer('/data/about?k2', content('New'));
  expect(heading('New')).toBeVisible();
});

test('after an error page the same link asks again', async () => {
  await open('/about?l', content('Old', ['/about?l2']));
  await go('/about?l2');
  await answer('/data/about?l2', { ...content('Whoops', ['/about?l2']), status: 503 });
  await go('/about?l2');
  await answer('/data/about?l2', content('New'));
  expect(await screen.findByRole('heading', { name: 'New' })).toBeVisible();
  expect(calls()).toEqual(['/data/about?l2', '/data/about?l2']);
});

/** Moves within the page's history entries. */
async function move(change: () => void) {
  await act(async () => {
    const moved = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    change();
    await moved;
  });
}

function scrollTheWindow(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  window.dispatchEvent(new Event('scroll'));
}

test('after a client navigation a link to a part of the page leaves scroll and focus to the browser', async () => {
  await open('/about?m', content('Old', ['/about?m2']));
  scrollTheWindow(700);
  await go('/about?m2');
  await answer('/data/about?m2', content('New', ['#part']));
  screen.getByRole('link', { name: 'to #part' }).focus();
  scrollTo.mockReset();
  await move(() => {
    window.location.hash = '#part';
  });
  expect(scrollTo).not.toHaveBeenCalled();
  expect(screen.getByRole('link', { name: 'to #part' })).toHaveFocus();
});

test('back and forward between the parts of a page restore their positions and leave the focus', async () => {
  await open('/about?n', content('Old', ['/about?n2']));
  scrollTheWindow(700);
  await go('/about?n2');
  await answer('/data/about?n2', content('New', ['#part']));
  scrollTheWindow(50);
  await move(() => {
    window.location.hash = '#part';
  });
  scrollTheWindow(900);
  screen.getByRole('link', { name: 'to #part' }).focus();
  await move(() => window.history.back());
  expect(scrollTo).toHaveBeenLastCalledWith({ top: 50, behavior: 'instant' });
  await move(() => window.history.forward());
  expect(scrollTo).toHaveBeenLastCalledWith({ top: 900, behavior: 'instant' });
  expect(screen.getByRole('link', { name: 'to #part' })).toHaveFocus();
});

test('an address that has moved is followed, and the old one leaves no entry behind', async () => {
  await open('/about?i', content('Old', ['/about?i2']));
  const pushed = jest.spyOn(window.history, 'pushState');
  await go('/about?i2');
  await answer('/data/about?i2', { location: '/about?i3' });
  await answer('/data/about?i3', content('New'));
  expect([window.location.search, pushed.mock.calls.length]).toEqual(['?i3', 1]);
  expect(heading('New')).toBeVisible();
});

/** jsdom cannot reload and logs an error: counting those counts the reloads. */
function countReloads(): jest.Mock {
  const logged = jest.fn();
  jest
    .spyOn(console, 'error')
    .mockImplementation((error) => String(error).includes('navigation') && logged());
  return logged;
}

test('a page with another policy replaces the document', async () => {
  const reloads = countReloads();
  await open('/about?p', content('Old', ['/about?p2']));
  await go('/about?p2');
  await answer('/data/about?p2', {
    ...content('New'),
    page: 'of no chunk',
    documentKind: 'frame-src provider',
  });
  await waitFor(() => expect(reloads).toHaveBeenCalledTimes(1));
  expect([window.location.search, heading('Old') !== null, screen.queryByRole('alert')]).toEqual([
    '?p2',
    true,
    null,
  ]);
});

test('pages with the same policy of their own replace only each other', async () => {
  const reloads = countReloads();
  const own = { documentKind: 'frame-src provider' };
  await open('/about?q', { ...content('Old', ['/about?q2']), ...own });
  await go('/about?q2');
  await answer('/data/about?q2', { ...content('New', ['/about?q3']), ...own });
  expect(heading('New')).toBeVisible();
  await go('/about?q3');
  await answer('/data/about?q3', content('Ordinary'));
  await waitFor(() => expect(reloads).toHaveBeenCalledTimes(1));
});
