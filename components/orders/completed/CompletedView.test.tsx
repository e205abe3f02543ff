import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SiteProvider } from '../../api/site';
import type { Order, OrderStatus } from '../../contracts/schema';
import { CODE, openOrder, order, orderLine, orderStatus } from '../../fixtures/orders/orders';
import { SITE } from '../../fixtures/renderInShop';
import type { CompletedView as View } from './CompletedView';

const replaceWith = jest.fn();
jest.doMock('../../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../../browser/reload', () => ({
  ...jest.requireActual<object>('../../browser/reload'),
  replaceWith,
}));
const { CompletedView } = jest.requireActual<{ CompletedView: typeof View }>('./CompletedView');

const requestTimes: number[] = [];
const onChange = jest.fn();
let answers: (OrderStatus | null)[];
// As the host tells them, by how often it was asked.
const PAUSES_MS = [1, 2, 4, 8, ...Array<number>(7).fill(15)].map((pause) => pause * 1000);

beforeEach(() => {
  jest.useFakeTimers();
  requestTimes.length = 0;
  answers = [];
  onChange.mockClear();
  replaceWith.mockClear();
  const begin = Date.now();
  globalThis.fetch = (async (address: string) => {
    requestTimes.push((Date.now() - begin) / 1000);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw new TypeError('Failed to fetch');
    const polls = Number(address.split('?poll=')[1]);
    const retryMs = answer.retryMs === null ? null : (PAUSES_MS[polls] ?? null);
    return new Response(JSON.stringify({ ...answer, retryMs }));
  }) as typeof fetch;
});

afterEach(() => jest.useRealTimers());

async function show(first: OrderStatus, own: Order | null = null, next: string | null = null) {
  await act(async () => {
    render(
      <SiteProvider site={SITE}>
        <MemoryRouter>
          <CompletedView first={first} order={own} next={next} onChange={onChange} />
        </MemoryRouter>
      </SiteProvider>,
    );
  });
}

const seconds = (count: number) => act(async () => jest.advanceTimersByTimeAsync(count * 1000));
const title = () => screen.getByRole('heading', { level: 1 }).textContent;

test('a payment that may still come is asked for at growing pauses, for two minutes', async () => {
  answers = [orderStatus()];
  await show(orderStatus());
  expect(title()).toBe('Checking your payment');
  await seconds(121);
  expect(requestTimes).toEqual([1, 3, 7, 15, 30, 45, 60, 75, 90, 105, 120]);
  expect(title()).toBe('Your payment is not confirmed yet');
  expect(screen.getByRole('status')).toHaveTextContent('we will email you');
  await seconds(300);
  expect(requestTimes).toHaveLength(11);
});

test('the state is read out when it changes, and the page is loaded again', async () => {
  answers = [
    null,
    orderStatus({ state: 'paid', stateText: 'Paid', nextStep: 'Thank you.', retryMs: null, canPay: false }),
  ];
  await show(orderStatus());
  await seconds(3);
  expect(title()).toBe('Thank you: your order is paid');
  expect(screen.getByRole('status')).toHaveTextContent('Thank you: your order is paid. Thank you.');
  expect(onChange).toHaveBeenCalledTimes(1);
  await seconds(300);
  expect(requestTimes).toEqual([1, 3]);
});

test('a host that cannot be reached is asked as often, and then nobody waits any more', async () => {
  answers = [null];
  await show(orderStatus());
  await seconds(200);
  expect(requestTimes).toHaveLength(11);
  expect(title()).toBe('Your payment is not confirmed yet');
});

test('without a sign-in only the state and the code are shown', async () => {
  await show(orderStatus({ state: 'paid', stateText: 'Paid', retryMs: null, canPay: false }));
  expect(screen.getByText(`Order ${CODE}`)).toBeVisible();
  expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Sign in to see your order', `/login?returnTo=${encodeURIComponent(`/order/${CODE}`)}`],
  ]);
  expect(screen.queryByRole('list')).toBeNull();
});

test('whoever has not paid goes on, changes the order or gives it up', async () => {
  answers = [orderStatus()];
  await show(orderStatus(), openOrder());
  await seconds(1);
  expect(title()).toBe('Checking your payment');
  await seconds(2);
  expect(title()).toBe('Your order is not paid yet');
  expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change the order' })).toHaveAttribute('href', '/cart');
  expect(screen.getByRole('button', { name: 'Cancel this order' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('reserved for you until September 15, 2026');
});

test('whoever could not be sent to pay is told so at once, and tries again', async () => {
  answers = [orderStatus({ hasPage: false }), orderStatus()];
  await show(orderStatus({ hasPage: false }), openOrder());
  expect(title()).toBe('Your order is placed, but you cannot pay it yet');
  expect(screen.getByRole('status')).toHaveTextContent('Nothing is charged, and your order is kept.');
  expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeVisible();
  // Meanwhile the page has opened after all.
  await seconds(3);
  expect(title()).toBe('Your order is not paid yet');
});

const NEXT = `/completed/${CODE}?open=2`;

test('whoever waits for a slow payment page is led there as soon as it is open, without pressing again', async () => {
  answers = [orderStatus({ hasPage: false })];
  await show(orderStatus({ hasPage: false }), openOrder(), NEXT);
  expect(title()).toBe('Opening the page to pay on');
  expect(screen.queryByRole('button', { name: 'Go on to payment' })).toBeNull();
  await seconds(3);
  expect(replaceWith).not.toHaveBeenCalled();
  answers = [orderStatus()];
  await seconds(1);
  expect(replaceWith.mock.calls).toEqual([[NEXT]]);
});

test('nobody waits longer for a payment page than the payment provider may take', async () => {
  answers = [orderStatus({ hasPage: false })];
  await show(orderStatus({ hasPage: false }), openOrder(), NEXT);
  await seconds(19);
  expect(title()).toBe('Opening the page to pay on');
  await seconds(2);
  expect(title()).toBe('Your order is placed, but you cannot pay it yet');
  expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeVisible();
  expect(replaceWith).not.toHaveBeenCalled();
});

test('nothing is paid twice while the payment is being checked', async () => {
  await show(orderStatus(), openOrder());
  expect(screen.queryByRole('button', { name: 'Go on to payment' })).toBeNull();
});

const TITLES: [Partial<OrderStatus>, string][] = [
  [{ state: 'processing', stateText: 'Payment on its way' }, 'Your payment is on its way'],
  [{ state: 'paid', stateText: 'Paid' }, 'Thank you: your order is paid'],
  [{ state: 'paid', stateText: 'Partly refunded' }, 'Partly refunded'],
  [{ state: 'expired', stateText: 'Expired' }, 'This order has expired'],
  [{ state: 'expired', stateText: 'Paid too late and refunded' }, 'Paid too late and refunded'],
  [{ state: 'cancelled', stateText: 'Cancelled' }, 'This order was cancelled'],
  [{ state: 'cancelled', stateText: 'Paid too late and refunded' }, 'Paid too late and refunded'],
  [{ state: 'refunded', stateText: 'Refunded' }, 'This order was refunded'],
  [{ state: 'refunded', stateText: 'Refund failed' }, 'Refund failed'],
  [{ state: 'placed', canPay: false }, 'Your payment is not confirmed yet'],
];

test.each(TITLES)('%j is headed %s', async (about, expected) => {
  await show(orderStatus({ retryMs: null, ...about }));
  expect(title()).toBe(expected);
});

test('who is signed in sees what was ordered, the invoice and where to begin', async () => {
  await show(orderStatus({ state: 'paid', stateText: 'Paid', retryMs: null, canPay: false }), order());
  expect(screen.getByRole('link', { name: 'Go to the course: SQL for spreadsheet people' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Invoice 2026-000001 (PDF)' })).toHaveAttribute(
    'href',
    `/documents/${CODE}/2026-000001.pdf`,
  );
  expect(screen.queryByRole('link', { name: 'My learning' })).toBeNull();
  expect(screen.getByRole('link', { name: 'See the whole order' })).toHaveAttribute('href', `/order/${CODE}`);
});

test('of several courses the page also leads to all of them', async () => {
  const lines = [
    orderLine(),
    orderLine({ number: 2, learn: [{ name: 'Payroll', href: '/user-dashboard' }] }),
  ];
  const paid = orderStatus({ state: 'paid', stateText: 'Paid', retryMs: null, canPay: false });
  await show(paid, order({ lines }));
  expect(screen.getByRole('link', { name: 'My learning' })).toHaveAttribute('href', '/user-dashboard');
});
