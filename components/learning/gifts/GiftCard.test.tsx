import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { returnAddress } from '../../browser/address';
import type { GiftCard as GiftCardData } from '../../contracts/schema';
import { dashboard } from '../../fixtures/learning/learning';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { SESSION } from '../../fixtures/session';
import { Dashboard } from '../dashboard/Dashboard';
import { GiftCard } from './GiftCard';

const COURSES = [{ name: 'VAT basics', href: '/user-dashboard?course=vat-basics' }];
const GIFT: GiftCardData = {
  token: 't0ken',
  name: 'VAT basics',
  giver: 'Ada L.',
  message: 'Enjoy!\nSee you there.',
  courses: COURSES,
  refusal: null,
  isClaimed: false,
};
const show = (about: Partial<GiftCardData> = {}) =>
  renderLearning(<GiftCard gift={{ ...GIFT, ...about }} learner={SESSION.learner} />);

function answer(status: number, body: unknown) {
  const calls: [string, unknown][] = [];
  globalThis.fetch = (async (address: string, { method, body: sent }: RequestInit = {}) => {
    // The page is loaded again after the gift is accepted: offline, it stays as it is.
    if (method !== 'POST') throw new TypeError('offline');
    calls.push([address, JSON.parse(String(sent))]);
    const type = status < 300 ? 'application/json' : 'application/problem+json';
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
  }) as typeof fetch;
  return calls;
}

const accept = () => userEvent.click(screen.getByRole('button', { name: 'Accept the gift' }));

test('a gift says who gives what, to which account, and is accepted with one press', async () => {
  const calls = answer(200, { courses: COURSES });
  await show();
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('A gift from Ada L.');
  expect(screen.getByText(/^Enjoy!/)).toBeVisible();
  expect(screen.getByText(`It opens VAT basics, for your account ${SESSION.learner.email}.`)).toBeVisible();
  await accept();
  expect(await screen.findByRole('link', { name: 'Go to VAT basics' })).toHaveAttribute(
    'href',
    COURSES[0]?.href,
  );
  expect(screen.getByRole('status')).toHaveTextContent('It is yours now.');
  expect(screen.getByRole('status')).toHaveFocus();
  expect(screen.queryByRole('button')).toBeNull();
  expect(calls).toEqual([['/api/learning/gifts/claim', { token: 't0ken' }]]);
});

test('a gift that somebody else was faster to accept says so, and can be tried again', async () => {
  answer(404, { type: 'about:blank', title: 'x', status: 404, detail: 'This link opens no gift.' });
  await show();
  await accept();
  expect(await screen.findByText('This link opens no gift.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Accept the gift' })).toBeEnabled();
});

test('what was accepted before shows its courses, and what cannot be accepted why', async () => {
  await show({ isClaimed: true, giver: '' });
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('A gift for you');
  expect(screen.getByRole('link', { name: 'Go to VAT basics' })).toBeVisible();
  await show({ refusal: 'This is your own gift.' });
  expect(screen.getByText('This is your own gift.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('the token leaves the address as soon as its gift is shown, and nothing else does', async () => {
  window.history.replaceState({ key: 'own' }, '', '/user-dashboard?giftToken=t0ken&page=2');
  await show();
  expect(window.location.search).toBe('?page=2');
  expect(window.history.state).toEqual({ key: 'own' });
});

test('a gift that needs a newer sign-in comes back after it', async () => {
  window.history.replaceState(null, '', '/user-dashboard?giftToken=t0ken');
  const detail = 'insufficient_authentication_context';
  answer(403, { type: 'about:blank', title: 'x', status: 403, detail, maxAge: 300 });
  await show();
  await accept();
  const link = await screen.findByRole('link', { name: 'Sign in again' });
  link.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(link);
  const query = new URL((link as HTMLAnchorElement).href).searchParams;
  expect(query.get('returnTo')).toBe('/user-dashboard?giftToken=t0ken');
});

test('an accepted gift does not come back after a sign-in', async () => {
  window.history.replaceState(null, '', '/user-dashboard?giftToken=t0ken');
  answer(200, { courses: COURSES });
  await show();
  await accept();
  await screen.findByRole('link', { name: 'Go to VAT basics' });
  await waitFor(() => expect(returnAddress()).toBe('/user-dashboard'));
});

function LoadedAgain() {
  const [gift, setGift] = useState<GiftCardData | null>(GIFT);
  return (
    <>
      <button type="button" onClick={() => setGift(null)}>
        Load again
      </button>
      <Dashboard dashboard={dashboard()} learner={SESSION.learner} gift={gift} />
    </>
  );
}

test('an accepted gift stays on the dashboard, whose new data knows nothing of it', async () => {
  answer(200, { courses: COURSES });
  await renderLearning(<LoadedAgain />);
  await userEvent.click(await screen.findByRole('button', { name: 'Accept the gift' }));
  expect(await screen.findByRole('link', { name: 'Go to VAT basics' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Load again' }));
  expect(screen.getByRole('link', { name: 'Go to VAT basics' })).toBeVisible();
});

test('the dashboard has a card for the gift of a link, and none without', async () => {
  await renderLearning(<Dashboard dashboard={dashboard()} learner={SESSION.learner} gift={GIFT} />);
  await waitFor(() => expect(screen.getByRole('region', { name: 'A gift from Ada L.' })).toBeVisible());
});
