import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { setCurrentPage } from '../api/pages';
import { SiteProvider } from '../api/site';
import type { PageData } from '../contracts/schema';
import { SITE } from '../fixtures/catalogue';
import { LiveRefresh } from './LiveRefresh';

const NOW = '2026-03-07T10:00:00Z';
const replaceData = jest.fn(() => Promise.resolve());
const load = jest.fn();

function Page({ at }: { at: string }) {
  return (
    <MemoryRouter>
      <SiteProvider site={SITE} page={{} as PageData} replaceData={replaceData}>
        <LiveRefresh at={at} seconds={30} count={String} />
      </SiteProvider>
    </MemoryRouter>
  );
}

const answer = (status: number) =>
  Promise.resolve({ headers: new Headers(), json: () => Promise.resolve({ page: 'admin-report', status }) });

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

const pass = (seconds: number) => act(() => jest.advanceTimersByTimeAsync(seconds * 1000));
const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());

beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse(NOW) });
  replaceData.mockClear();
  load.mockReset().mockImplementation(() => answer(200));
  globalThis.fetch = load;
  show('visible');
});
afterEach(() => jest.useRealTimers());

it('loads the page every 30 seconds and says how old its figures are', async () => {
  const { container, rerender } = render(<Page at={NOW} />);
  const text = () => container.querySelector('p')?.textContent?.trim();
  expect(text()).toContain('Refreshed just now. Again every 30 seconds while you look at it.');
  await pass(20);
  expect([text()?.slice(0, 25), load.mock.calls.length]).toEqual(['Refreshed 20 seconds ago.', 0]);
  await pass(10);
  expect([load.mock.calls.length, replaceData.mock.calls.length]).toEqual([1, 1]);
  rerender(<Page at="2026-03-07T10:00:30Z" />);
  expect(text()).toContain('Refreshed just now.');
  await pass(30);
  expect(load).toHaveBeenCalledTimes(2);
});

it('loads nothing while nobody looks at the page, and at once when somebody does', async () => {
  render(<Page at={NOW} />);
  act(() => show('hidden'));
  await pass(600);
  expect(load).toHaveBeenCalledTimes(0);
  expect(screen.getByText('10 min ago')).toBeVisible();
  await act(async () => show('visible'));
  expect(load).toHaveBeenCalledTimes(1);
});

it('can be stopped, and goes on at once', async () => {
  render(<Page at={NOW} />);
  await press('Pause');
  await pass(120);
  expect(load).toHaveBeenCalledTimes(0);
  await press('Go on');
  expect(load).toHaveBeenCalledTimes(1);
  await pass(30);
  expect(load).toHaveBeenCalledTimes(2);
});

it.each([
  ['an answer without the page', () => answer(503)],
  ['no answer', () => Promise.reject(new TypeError('no response'))],
])('leaves the figures on screen after %s, says so and tries again', async (_, found) => {
  load.mockImplementationOnce(found);
  const { container } = render(<Page at={NOW} />);
  await pass(30);
  expect(replaceData).toHaveBeenCalledTimes(0);
  expect(container).toHaveTextContent('The last try has failed; the next one is within 30 seconds.');
  await pass(30);
  expect(replaceData).toHaveBeenCalledTimes(1);
  expect(container).not.toHaveTextContent('has failed');
});

it('leaves a page alone that came on screen before the answer', async () => {
  let respond: (response: unknown) => void = () => undefined;
  load.mockImplementationOnce(() => new Promise((resolve) => (respond = resolve)));
  render(<Page at={NOW} />);
  await pass(30);
  setCurrentPage({ page: 'admin-report' } as PageData);
  await act(async () => respond(await answer(200)));
  expect([load.mock.calls.length, replaceData.mock.calls.length]).toEqual([1, 0]);
});
