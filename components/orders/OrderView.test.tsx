import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { SiteProvider } from '../api/site';
import type { Order } from '../contracts/schema';
import {
  CODE,
  DIGITAL_BOOK,
  openOrder,
  order,
  orderGift,
  orderLine,
  VOUCHER,
} from '../fixtures/orders/orders';
import { SITE } from '../fixtures/renderInShop';
import type { OrderView as View } from './OrderView';

const left: string[] = [];
const copied: string[] = [];
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../browser/navigation', () => ({
  navigateTo: (address: string) => left.push(address),
  copyText: async (text: string) => copied.push(text) > 0,
}));
const { OrderView } = jest.requireActual<{ OrderView: typeof View }>('./OrderView');

type RecordedCall = [method: string, path: string, body: unknown];

function hostThatSays(answers: Record<string, unknown>): RecordedCall[] {
  const calls: RecordedCall[] = [];
  globalThis.fetch = (async (address: string, { method = 'GET', body }: RequestInit) => {
    calls.push([method, address, body === undefined ? null : JSON.parse(String(body))]);
    const answer = answers[`${method} ${address}`] as { status?: unknown };
    const status = typeof answer?.status === 'number' ? answer.status : 200;
    return new Response(JSON.stringify(answer), { status });
  }) as typeof fetch;
  return calls;
}

async function show(own: Order = order()) {
  await act(async () => {
    render(
      <SiteProvider site={SITE}>
        <MemoryRouter>
          <OrderView order={own} />
        </MemoryRouter>
      </SiteProvider>,
    );
  });
}

const region = (name: string | RegExp) => within(screen.getByRole('region', { name }));
const rows = (name: string) =>
  region(name)
    .getAllByRole('listitem')
    .map((row) => row.textContent);

beforeEach(() => {
  left.length = 0;
  copied.length = 0;
});

test('money of a refund that failed is still to be paid back, not refunded', async () => {
  await show(
    order({ totals: { ...order().totals, refunded: 0, owed: 3800 }, lines: [orderLine({ owed: 3800 })] }),
  );
  expect(screen.getByText('$38.00 still to be paid back')).toBeInTheDocument();
  expect(screen.getByText('Still to be paid back').nextSibling).toHaveTextContent('$38.00');
  expect(screen.queryByText('Refunded')).toBeNull();
});

test('the price of a line is explained step by step, with the offers that did not lower it', async () => {
  await show();
  const line = within(region('What you bought').getAllByRole('listitem')[0] as HTMLElement);
  const terms = line.getAllByRole('term').map((term) => term.textContent);
  const amounts = line.getAllByRole('definition').map((amount) => amount.textContent);
  expect(terms).toEqual(['List price', 'Sale', 'Coupon SPRING', 'Sales tax', 'Price']);
  expect(amounts).toEqual(['$49.00', '−$10.00', '−$3.90', '+$2.90', '$38.00']);
  expect(line.getByText(/^Code TEN was not used/)).toBeInTheDocument();
});

const SENT = {
  number: 1,
  quantity: 1,
  carrier: '',
  tracking: '',
  shippedAt: '2026-09-20T12:00:00Z',
  deliveredAt: null,
};

test.each([
  [{}, 'Not sent yet. We email you when it is on its way.'],
  [{ refundedQuantity: 99 }, 'Cancelled. It will not be sent.'],
  [{ refundedQuantity: 99, endedAt: '2026-09-20T12:00:00Z' }, /^Cancelled on September 20, 2026/],
  [{ parcels: [SENT] }, /^Sent on September 20, 2026[^,]*\.$/],
  [{ parcels: [{ ...SENT, deliveredAt: '2026-09-21T12:00:00Z' }] }, /^Delivered on September 21, 2026/],
  [{ quantity: 3, parcels: [SENT], toSend: 2 }, /^1 of 3: Sent on September 20, 2026/],
  [{ quantity: 3, parcels: [SENT], toSend: 2 }, '2 of 3: Not sent yet. It follows in another parcel.'],
  [
    { parcels: [{ ...SENT, carrier: 'Post', tracking: 'RR 12' }] },
    /^Sent on September 20, 2026.* with Post, number RR 12\.$/,
  ],
  [
    { gift: orderGift({ sendAt: '2026-12-24T12:00:00Z', stateText: 'We write to them on that day' }) },
    'A gift for bob@example.test, for December 24, 2026. We write to them on that day.',
  ],
  [
    { gift: orderGift({ stateText: 'Accepted', claimedAt: '2026-09-20T12:00:00Z', canSendAgain: false }) },
    'A gift for bob@example.test. Accepted on September 20, 2026.',
  ],
  [{ gift: orderGift({ recipientEmail: '', stateText: '', canSendAgain: false }) }, 'A gift.'],
])('a line says where its parcel or gift is, %j', async (about, text) => {
  await show(order({ lines: [orderLine({ fulfilment: 'shipped', ...about })] }));
  expect(screen.getByText(text)).toBeVisible();
});

test('what was paid for delivery is refunded; only goods are taken back', async () => {
  const ended = { refundedQuantity: 1, endedAt: '2026-09-20T12:00:00Z' };
  await show(order({ lines: [orderLine(ended), orderLine({ number: 2, kind: 'delivery', ...ended })] }));
  expect(screen.getAllByText(/^Taken back on/)).toHaveLength(1);
});

const totals = () =>
  [...document.querySelectorAll('.order-totals .totals__row')].map((row) => row.textContent);

test('tax is a row for each rate: added, or contained in the total', async () => {
  await show();
  expect(totals()).toEqual([
    'Items$39.00',
    'Coupon SPRING−$3.90',
    'Sales tax 8.25% on $35.10$2.90',
    'Total$38.00',
  ]);
});

test('tax that the prices include stands below the total', async () => {
  const taxes = [
    { label: 'VAT', percent: '19', net: 3193, tax: 607 },
    { label: 'VAT', percent: '7', net: 1000, tax: 70 },
  ];
  await show(order({ priceMode: 'inclusive', taxes }));
  expect(totals().slice(-3)).toEqual([
    'Total$38.00',
    'Includes VAT 19% on $31.93$6.07',
    'Includes VAT 7% on $10.00$0.70',
  ]);
});

test('voucher codes can be copied, those that were used cannot', async () => {
  await show(order({ lines: [orderLine(VOUCHER)] }));
  const list = within(screen.getByRole('list', { name: 'Codes: Exam voucher' }));
  expect(list.getAllByRole('listitem')[1]).toHaveTextContent('KELIMONUPAREUsed');
  await userEvent.click(list.getByRole('button', { name: 'Copy BADECUFIGOHA' }));
  expect([copied, list.getAllByRole('button').length]).toEqual([['BADECUFIGOHA'], 1]);
  expect(await screen.findByText('BADECUFIGOHA copied')).toBeInTheDocument();
});

test('paid seats lead to the page where they are given out, unpaid and returned ones do not', async () => {
  const seats = orderLine({ kind: 'seats', learn: [] });
  const link = () => screen.queryByRole('link', { name: 'Give the seats out' });
  await show(order({ lines: [seats] }));
  expect(link()).toHaveAttribute('href', '/organization/seats');
  cleanup();
  await show(order({ lines: [{ ...seats, endedAt: '2026-09-20T10:00:00Z' }] }));
  expect(link()).toBeNull();
  cleanup();
  await show(openOrder({ lines: [seats] }));
  expect(link()).toBeNull();
});

test('files are links with their size', async () => {
  await show(order({ lines: [orderLine(DIGITAL_BOOK)] }));
  const links = screen.getAllByRole('link', { name: /^honest-numbers/ });
  expect(links.map((link) => [link.getAttribute('href'), link.nextSibling?.textContent])).toEqual([
    [`/order-files/${CODE}/3/1`, '2 KB'],
    [`/order-files/${CODE}/3/2`, '2.6 MB'],
  ]);
});

test('payments, refunds and the timeline are lists', async () => {
  const refund = {
    number: 1,
    state: 'succeeded' as const,
    stateText: 'Paid back',
    reason: 'request' as const,
    reasonText: 'You asked for it',
    note: 'Too easy',
    amount: 1900,
    lines: [{ number: 1, name: 'SQL', quantity: 2, amount: 1900 }],
    notBack: [],
    answer: '',
    at: '2026-09-16T12:00:00Z',
    // When the gateway had paid it: nobody asked for anything then.
    changedAt: '2026-09-18T12:00:00Z',
  };
  const again = { ...refund, number: 2, stateText: 'Paid after all', note: '', amount: -1900, lines: [] };
  await show(order({ refunds: [refund, again] }));
  expect(rows('Payments')).toEqual([
    expect.stringMatching(/^Visa 4242Paid, September 15, 2026.*\$38\.00$/),
    expect.stringMatching(/^Refund 1: Paid backYou asked for it, September 16.*2 × SQL“Too easy”−\$19\.00$/),
    expect.stringMatching(/^Refund 2: Paid after all.*[^−]\$19\.00$/),
  ]);
  expect(rows('What happened')).toEqual([
    expect.stringMatching(/Ordered for \$38\.00$/),
    expect.stringMatching(/Paid$/),
  ]);
});

test('a request that was approved in part says what was not given back, and why', async () => {
  const refund = {
    number: 1,
    state: 'approved' as const,
    stateText: 'Approved in part, on its way to you',
    reason: 'request' as const,
    reasonText: 'You asked for it',
    note: '',
    amount: 950,
    lines: [{ number: 1, name: 'SQL', quantity: 1, amount: 950 }],
    notBack: [
      { number: 1, name: 'SQL', quantity: 2, amount: 1900 },
      { number: 2, name: 'Maths', quantity: 1, amount: 0 },
    ],
    answer: 'Two of them were read.',
    at: '2026-09-16T12:00:00Z',
    changedAt: '2026-09-18T12:00:00Z',
  };
  await show(order({ refunds: [refund] }));
  expect(rows('Payments')[1]).toMatch(
    /SQLNot given back: 2 × SQL, \$19\.00Not given back: MathsOur answer: Two of them were read\.−\$9\.50$/,
  );
});

test('an order that is paid has nothing to press but its links', async () => {
  await show();
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Print the receipt']);
});

test('the email of a gift is sent again, or its refusal shown', async () => {
  const path = `POST /api/orders/${CODE}/gifts/1/mail`;
  const calls = hostThatSays({ [path]: { status: 'success', message: 'We have written to bob again.' } });
  const gift = order({ lines: [orderLine({ gift: orderGift() })] });
  await show(gift);
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(calls).toEqual([['POST', `/api/orders/${CODE}/gifts/1/mail`, {}]]);
  expect(await screen.findByText('We have written to bob again.')).toBeVisible();
  expect(screen.getByText('We have written to bob again.')).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Send the email again' })).toBeNull();
  cleanup();
  hostThatSays({ [path]: { status: 403, title: 'No', detail: 'This gift was accepted already.' } });
  await show(gift);
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('This gift was accepted already.')).toBeVisible();
});

test('paying again leads to the payment page', async () => {
  const calls = hostThatSays({ [`POST /api/orders/${CODE}/pay`]: { redirect: 'https://pay.example/c/1' } });
  await show(openOrder());
  await userEvent.click(screen.getByRole('button', { name: 'Go on to payment' }));
  expect(calls).toEqual([['POST', `/api/orders/${CODE}/pay`, { key: 'key-1' }]]);
  await waitFor(() => expect(left).toEqual(['https://pay.example/c/1']));
});

test('an order is given up only after a question', async () => {
  const outcome = { status: 'failed', message: 'Your bank is making the payment.' };
  const data = { page: 'order', status: 200, head: {}, props: {} };
  const calls = hostThatSays({ [`POST /api/orders/${CODE}/cancel`]: outcome, 'GET /data/': data });
  await show(openOrder());
  await userEvent.click(screen.getByRole('button', { name: 'Cancel this order' }));
  expect(calls).toEqual([]);
  const dialog = screen.getByRole('dialog', { name: 'Cancel this order?' }) as HTMLDialogElement;
  await act(async () => dialog.close('yes'));
  expect(calls.map(([method, path]) => `${method} ${path}`)).toEqual([
    `POST /api/orders/${CODE}/cancel`,
    'GET /data/',
  ]);
  expect(screen.getByRole('alert')).toHaveTextContent('Your bank is making the payment.');
});

test.each([
  [
    'what it is',
    { kind: 'credit_note', title: 'Reversal of a credit note', number: 'C7' },
    'Reversal of a credit note C7 (PDF)',
  ],
  ['for programs too', { isStructured: true }, 'Invoice 2026-000001 (PDF with e-invoice)'],
] as const)('a document says %s', async (_, changed, name) => {
  const [invoice] = order().documents;
  await show(order({ documents: [{ ...invoice, ...changed } as Order['documents'][number]] }));
  expect(screen.getByRole('link', { name })).toBeInTheDocument();
});

test('documents that cannot name their customer say so', async () => {
  const documentNote = 'The documents show your customer number instead.';
  await show(order({ documentNote }));
  expect(region('Documents').getByText(documentNote)).toBeInTheDocument();
  cleanup();
  await show();
  expect(screen.queryByText(documentNote)).toBeNull();
});
