import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Checkout } from '../contracts/schema';
import { BUYER_GROUP as BUYER, checkout, deliveryGroup, difference, field } from '../fixtures/checkout';
import { renderInShop } from '../fixtures/renderInShop';
import type { CheckoutView as View } from './CheckoutView';

const left: string[] = [];
jest.doMock('../browser/navigation', () => ({
  leaveFor: (address: string) => {
    left.push(address);
    return new Promise(() => undefined);
  },
}));
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
const { CheckoutView } = jest.requireActual<{ CheckoutView: typeof View }>('./CheckoutView');

type Sent = {
  method: string;
  body: { key: string; seen: unknown; values: Record<string, string>; terms: string };
};
type Answer = { status?: number; body?: unknown; retryAfter?: string } | 'no network' | 'never';

const sent: Sent[] = [];
const answers: Record<string, Answer[]> = {};

/** The server: each method answers in this order, the last answer again and again. */
function serve(byMethod: Record<string, Answer[]>) {
  Object.assign(answers, byMethod);
}

beforeEach(() => {
  sent.length = 0;
  left.length = 0;
  for (const method of Object.keys(answers)) delete answers[method];
  globalThis.fetch = (async (_path: string, { method = 'GET', body }: RequestInit = {}) => {
    sent.push({ method, body: body ? JSON.parse(String(body)) : {} });
    const queue = answers[method] ?? [];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? { body: checkout() };
    if (answer === 'never') return new Promise(() => undefined);
    if (answer === 'no network') throw new TypeError('Failed to fetch');
    const headers = answer.retryAfter ? { 'Retry-After': answer.retryAfter } : undefined;
    return new Response(JSON.stringify(answer.body ?? {}), { status: answer.status ?? 200, headers });
  }) as typeof fetch;
});

async function show(first: Checkout = checkout()) {
  await act(async () => renderInShop(<CheckoutView first={first} email="ada@example.test" />));
}

const labelled = (label: string) => screen.getByLabelText(new RegExp(`^${label}`));
const button = (name: string) => screen.getByRole('button', { name });
const press = () => userEvent.click(button('Pay $48.60'));
const placed = () => sent.filter(({ method }) => method === 'POST').map(({ body }) => body);
const stored = () => sent.filter(({ method }) => method === 'PUT').map(({ body }) => body.values);
const totals = (totalMinor: number) => ({ ...checkout().totals, totalMinor });
const refused = (status: number, members: object = {}): Answer => ({
  status,
  body: { title: 'No.', ...members },
});

test('fields have the names and labels of their records, amounts the currency of the shop', async () => {
  await show();
  expect(labelled('Address')).toHaveAttribute('name', 'delivery.street_address');
  expect(labelled('Full name')).toHaveAttribute('autocomplete', 'shipping name');
  expect(labelled('ZIP code')).toHaveAccessibleDescription('For example 95014');
  expect(screen.getByRole('radio', { name: /Express.*1 working day.*\$12\.90/ })).not.toBeChecked();
  const rows = within(screen.getByRole('complementary', { name: 'Your order' })).getAllByRole('term');
  expect(rows.map((row) => `${row.textContent}: ${row.nextSibling?.textContent}`)).toEqual([
    'List price, 2 times: $60.00',
    'Sale: −$10.00',
    'Coupon SPRING: −$5.00',
    'You pay: $45.00',
    '2 items: $50.00',
    'Coupon SPRING: −$5.00',
    'Delivery: Free',
    'Sales tax 8%: $3.60',
    'Total: $48.60',
  ]);
});

test('a change of country brings its fields at once, and what was typed stays', async () => {
  serve({ PUT: [{ body: checkout({ forms: [BUYER, deliveryGroup('DE')], totals: totals(4500) }) }] });
  await show();
  await userEvent.type(labelled('Full name'), 'Ada');
  await userEvent.selectOptions(labelled('Country'), 'DE');
  expect(await screen.findByLabelText(/^Postal code/)).toHaveValue('');
  expect(labelled('Full name')).toHaveValue('Ada');
  expect(labelled('Country')).toHaveFocus();
  expect(stored().at(-1)).toMatchObject({ 'delivery.country': 'DE', 'delivery.name': 'Ada' });
  expect(button('Pay $45.00')).toBeVisible();
});

test('leaving a field stores it; a second change waits for the answer of the first', async () => {
  await show();
  await userEvent.type(labelled('Full name'), 'Ada');
  await userEvent.tab();
  await waitFor(() => expect(stored().map((values) => values['delivery.name'])).toEqual(['Ada']));
});

test('leaving the page stores what was typed, also while an older state is under way', async () => {
  serve({ PUT: ['never'] });
  await show();
  await userEvent.selectOptions(labelled('Country'), 'DE');
  await userEvent.type(labelled('Full name'), 'Ada');
  await userEvent.tab();
  expect(stored()).toHaveLength(1);
  window.dispatchEvent(new Event('beforeunload'));
  window.dispatchEvent(new Event('pagehide'));
  expect(stored().map((values) => values['delivery.name'])).toEqual(['', 'Ada']);
});

test('an area that follows from the postal code is shown and read aloud, until another is chosen', async () => {
  const options = [
    { value: 'CA', label: 'California' },
    { value: 'TX', label: 'Texas' },
  ];
  const area = field('delivery.country_area', 'State', {
    kind: 'select',
    options,
    follows: 'TX',
    changesForm: true,
  });
  const delivery = deliveryGroup();
  serve({ PUT: ['never'] });
  await show(checkout({ forms: [BUYER, { ...delivery, fields: [...delivery.fields, area] }] }));
  const state = labelled('State');
  expect(state).toHaveValue('TX');
  expect(state).toHaveAccessibleDescription('Follows from your postal code.');
  expect(screen.getByText(/^State: Texas, from your postal code. Total/)).toHaveAttribute('role', 'status');
  await userEvent.selectOptions(state, 'CA');
  expect(stored().at(-1)).toMatchObject({ 'delivery.country_area': 'CA' });
  expect(state).toHaveValue('CA');
  expect(state).toHaveAccessibleDescription('');
  expect(screen.queryByText(/from your postal code/)).toBeNull();
});

test('without network what is typed stays, is said to, and is sent again', async () => {
  serve({ PUT: ['no network', { body: checkout() }] });
  await show();
  await userEvent.type(labelled('Full name'), 'Ada');
  await userEvent.tab();
  expect(await screen.findByText(/What you typed stays here/)).toBeVisible();
  await userEvent.click(button('Try again'));
  await waitFor(() => expect(screen.queryByText(/What you typed stays here/)).toBeNull());
  expect(stored()).toHaveLength(2);
  expect(labelled('Full name')).toHaveValue('Ada');
});

test('a press accepts the terms above it, and names all that is wrong at once, new terms too', async () => {
  const errors = { 'delivery.name': 'Enter your name.', terms: 'The policy has changed.' };
  serve({ POST: [refused(422, { errors, checkout: checkout() })] });
  await show();
  await press();
  expect(await screen.findByRole('alert', { name: '2 things need correcting' })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Terms: The policy has changed.' })).toHaveAttribute(
    'href',
    '#terms',
  );
  expect(document.querySelector('#terms')).toHaveAccessibleDescription('The policy has changed.');
  expect(placed()).toMatchObject([{ terms: '2026-09-15' }]);
});

test('one press, one order: a second one while it is placed sends nothing', async () => {
  serve({ POST: [{ body: { status: 'success', code: 'ABC', redirect: 'https://pay.example/c/1' } }] });
  await show();
  await userEvent.dblClick(button('Pay $48.60'));
  await waitFor(() => expect(left).toEqual(['https://pay.example/c/1']));
  const { seen } = checkout();
  expect(placed()).toMatchObject([{ key: 'key-1', seen, service: 'standard', terms: '2026-09-15' }]);
});

const WRONG = { 'delivery.name': 'Enter your full name.', 'delivery.postal_code': 'Enter your ZIP code.' };
const ERRORS: Record<string, [Record<string, string>, string]> = {
  'one error: its field': [{ 'delivery.name': WRONG['delivery.name'] }, 'delivery-name'],
  'several: their list': [WRONG, 'errors'],
};

test.each(Object.entries(ERRORS))(
  'after a refusal the focus is on what to correct, %s',
  async (_, [errors, id]) => {
    serve({ POST: [refused(422, { errors })] });
    await show();
    await press();
    await waitFor(() => expect(document.activeElement).toHaveAttribute('id', id));
    expect(labelled('Full name')).toHaveAccessibleDescription('Enter your full name.');
    const link = screen.getByRole('link', { name: 'Full name: Enter your full name.' });
    expect(link).toHaveAttribute('href', '#delivery-name');
    await userEvent.type(labelled('Full name'), 'A');
    expect(labelled('Full name')).toHaveAccessibleDescription('');
  },
);

test('changed prices are listed, and the next press agrees to them', async () => {
  const seen = { lines: { 1: 6000 }, delivery: 0, tax: 480, total: 6480 };
  const next = checkout({ key: 'key-2', seen, totals: totals(6480) });
  const gone = difference({ productId: 2, name: '', beforeMinor: 900, afterMinor: null });
  const differences = [difference(), gone, difference({ part: 'total', productId: null, name: 'Total' })];
  serve({ POST: [{ body: { status: 'changed', differences, checkout: next } }] });
  await show();
  await press();
  const list = await screen.findByRole('region', { name: 'Prices have changed since you saw them' });
  expect(list).toHaveFocus();
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Tax tableswas $45.00 → now $60.00This is its list price now.',
    'An item that is no longer in your cartwas $9.00 → now not orderedIt is no longer in your cart, or no longer sold.',
    'Totalwas $45.00 → now $60.00',
  ]);
  await userEvent.click(button('Order at these prices'));
  await waitFor(() => expect(placed()).toHaveLength(2));
  expect(placed()[1]).toMatchObject({ key: 'key-2', seen });
});

const FAILURES: Record<string, [Answer, string, string]> = {
  'no network': ['no network', 'Press the button again: the same order is never placed', 'key-1'],
  'too many': [{ ...(refused(429) as object), retryAfter: '30' }, 'Please try again in 30 seconds.', 'key-1'],
  'database away': [refused(503, { detail: 'Away.' }), 'Nothing you typed is lost.', 'key-1'],
  'a used key': [
    refused(409, { detail: 'Your cart has changed.', checkout: checkout({ key: 'key-2' }) }),
    'Your cart has changed.',
    'key-2',
  ],
  refused: [
    {
      body: {
        status: 'failed',
        lines: [{ productId: 1, name: 'Tax tables', message: 'Only one is left.' }],
        checkout: checkout({ key: 'key-2' }),
      },
    },
    'Only one is left.',
    'key-2',
  ],
};

test.each(Object.entries(FAILURES))(
  '%s: the form stays, and says what to do',
  async (_, [answer, text, key]) => {
    serve({ POST: [answer] });
    await show();
    await userEvent.type(labelled('Full name'), 'Ada');
    await press();
    expect(await screen.findByText(new RegExp(text))).toBeVisible();
    expect(labelled('Full name')).toHaveValue('Ada');
    await waitFor(() => expect(button('Pay $48.60')).not.toHaveAttribute('aria-busy'));
    await press();
    await waitFor(() => expect(placed()).toHaveLength(2));
    expect(placed()[1]).toMatchObject({ key });
  },
);

test('a busy site is asked again with the same key', async () => {
  const busy = { ...(refused(503) as object), retryAfter: '0.01' };
  serve({ POST: [busy, { body: { status: 'success', code: 'ABC', redirect: '/completed/ABC' } }] });
  await show();
  await press();
  await waitFor(() => expect(left).toEqual(['/completed/ABC']));
  expect(placed().map(({ key }) => key)).toEqual(['key-1', 'key-1']);
});

test('after the end of the sign-in the form itself is sent, with everything in it', async () => {
  const posts: Record<string, FormDataEntryValue>[] = [];
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function submit(this: HTMLFormElement) {
    posts.push(Object.fromEntries(new FormData(this)));
  });
  serve({ POST: [refused(401)] });
  await show();
  await userEvent.type(labelled('Full name'), 'Ada');
  await press();
  await waitFor(() => expect(posts).toHaveLength(1));
  expect(posts[0]).toMatchObject({
    do: 'update',
    key: 'key-1',
    seen: JSON.stringify(checkout().seen),
    service: 'standard',
    'delivery.name': 'Ada',
    'delivery.country': 'US',
    buyer: 'private',
  });
});

test('an empty cart has nothing to order, a free order no payment', async () => {
  await show(checkout({ lines: [] }));
  expect(screen.getByRole('heading', { name: 'There is nothing to order' })).toBeVisible();
  await show(checkout({ isFree: true, totals: totals(0) }));
  expect(screen.getByText(/no card is needed/)).toBeVisible();
  expect(button('Order for free')).toBeVisible();
});

test('while the state that decides the tax is not chosen, no amount is called the total', async () => {
  await show(checkout({ totals: { ...checkout().totals, missingArea: 'State' } }));
  expect(screen.getByText('Choose your state')).toBeInTheDocument();
  expect(screen.getByText('Total before tax')).toBeInTheDocument();
  expect(button('Pay')).toBeInTheDocument();
});

test('an order that is not paid yet is named above the form', async () => {
  const openOrder = {
    code: 'ABC',
    names: ['VAT basics', 'Tax tables', 'Pen'],
    totalMinor: 9900,
    currency: 'USD',
    placedAt: '2026-11-22T10:00:00Z',
    reservedUntil: null,
    href: '/completed/ABC',
  };
  await show(checkout({ openOrder }));
  const notice = screen.getByRole('region', { name: 'You have an order that is not paid yet' });
  expect(notice).toHaveTextContent('VAT basics and 2 more items: $99.00. If you order again');
  expect(within(notice).getByRole('link')).toHaveAttribute('href', '/completed/ABC');
});

test('what may be wrong is said at its field and to screen readers, until another value is typed', async () => {
  const delivery = deliveryGroup('US', { 'delivery.postal_code': '2139' });
  const warning = 'We read this ZIP code as 02139. Correct it if that is wrong.';
  const fields = delivery.fields.map((entry) =>
    entry.name === 'delivery.postal_code' ? { ...entry, warning } : entry,
  );
  await show(checkout({ forms: [{ ...delivery, fields }] }));
  expect(labelled('ZIP code')).toHaveAccessibleDescription(`For example 95014 ${warning}`);
  expect(labelled('ZIP code')).toBeValid();
  expect(screen.getByText(`Total $48.60. ${warning}`)).toHaveRole('status');
  await userEvent.type(labelled('ZIP code'), '1');
  expect(labelled('ZIP code')).toHaveAccessibleDescription('For example 95014');
});
