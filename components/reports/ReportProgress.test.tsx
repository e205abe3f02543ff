import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SiteProvider } from '../api/site';
import { SITE } from '../fixtures/catalogue';
import { ReportProgress } from './ReportProgress';

const PROGRESS = {
  title: 'Being computed: 40 of 120 days',
  text: 'The figures are without these days, or will change with them: March 4, 2026. The page follows.',
  advice: 'Each day takes seconds.',
  isBlank: false,
};

function Page({ isComputed }: { isComputed: boolean }) {
  return (
    <MemoryRouter>
      <SiteProvider site={SITE}>{isComputed || <ReportProgress progress={PROGRESS} />}</SiteProvider>
    </MemoryRouter>
  );
}

// A load that fails is repeated too.
const load = jest.fn(() => Promise.reject(new TypeError('no response')));

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  load.mockClear();
  globalThis.fetch = load;
  show('visible');
});
afterEach(() => jest.useRealTimers());

it('says how many days are computed, and loads the page again until all are', async () => {
  const { rerender } = render(<Page isComputed={false} />);
  expect(screen.getByText(PROGRESS.title)).toBeVisible();
  expect(screen.getByText(PROGRESS.text)).toBeVisible();
  await pass(2999);
  expect(load).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(load).toHaveBeenCalledTimes(1);
  await pass(5000);
  expect(load).toHaveBeenCalledTimes(2);
  rerender(<Page isComputed />);
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});

it('loads nothing while nobody looks at the page, and at once when somebody does', async () => {
  render(<Page isComputed={false} />);
  act(() => show('hidden'));
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(0);
  await act(async () => show('visible'));
  expect(load).toHaveBeenCalledTimes(1);
});
