import { act, render } from '@testing-library/react';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { useVisitLog } from './useVisitLog';

const sent: string[] = [];
let go: (to: string | number) => void;

beforeEach(() => {
  sent.length = 0;
  window.localStorage.clear();
  globalThis.fetch = (async (_: string, options: RequestInit) => {
    sent.push(JSON.parse(String(options.body)).Url);
    return new Response('{}', { status: 202 });
  }) as unknown as typeof fetch;
});

function Page() {
  useVisitLog();
  const navigate = useNavigate();
  go = (to) => void navigate(to as string);
  return null;
}

async function open(...addresses: string[]) {
  let view: ReturnType<typeof render> | undefined;
  await act(async () => {
    view = render(
      <MemoryRouter initialEntries={addresses}>
        <Page />
      </MemoryRouter>,
    );
  });
  return view as ReturnType<typeof render>;
}

test('the first load is one visit', async () => {
  const { rerender } = await open('/shop?page=2');
  rerender(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  );
  expect(sent).toEqual(['/shop?page=2']);
});

test('path and query count, the hash does not', async () => {
  await open('/shop');
  for (const to of ['/shop?page=2', '/shop?page=2#top', '/about', '/about']) await act(async () => go(to));
  expect(sent).toEqual(['/shop', '/shop?page=2', '/about']);
});

test('going back is a visit', async () => {
  await open('/shop');
  await act(async () => go('/about'));
  await act(async () => go(-1));
  expect(sent).toEqual(['/shop', '/about', '/shop']);
});

test('a page that comes back from the back/forward cache is a visit', async () => {
  await open('/shop');
  await act(async () => go('/about?part=2'));
  const shown = (persisted: boolean) =>
    act(async () => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted })));
  await shown(false);
  await shown(true);
  expect(sent).toEqual(['/shop', '/about?part=2', '/about?part=2']);
});

test('a page that the browser prepares is a visit once it is shown', async () => {
  Object.assign(document, { prerendering: true });
  try {
    await open('/shop');
    expect(sent).toEqual([]);
  } finally {
    Object.assign(document, { prerendering: false });
  }
  await act(async () => void document.dispatchEvent(new Event('prerenderingchange')));
  expect(sent).toEqual(['/shop']);
});

test('back online, stored visits are sent', async () => {
  const waiting = { at: 1, visit: { EventID: 'e', Url: '/kept' } };
  const view = await open('/shop');
  window.localStorage.setItem('unsent_visit:e', JSON.stringify(waiting));
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(sent).toEqual(['/shop', '/kept']);
  view.unmount();
  window.localStorage.setItem('unsent_visit:e', JSON.stringify(waiting));
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(sent).toEqual(['/shop', '/kept']);
});
