import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { RefundForm } from './RefundForm';

const CODE = 'BADECUFIGOHAKELIMONU';
const LINES = [
  { number: 1, name: 'VAT basics', quantity: 1, amountMinor: 4000, note: '', isGoods: false },
  {
    number: 2,
    name: 'Tax tables',
    quantity: 3,
    amountMinor: 4500,
    note: 'The 14 days ended.',
    isGoods: true,
  },
];
const PREVIEW = {
  amountMinor: 4000,
  lines: [{ name: 'VAT basics', quantity: 1, amountMinor: 4000 }],
  ends: ['Access to VAT basics ends.'],
};
const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset();
  sessionStorage.clear();
  globalThis.fetch = fetching;
});

function show() {
  const view = renderInShop(
    <MemoryRouter>
      <RefundForm code={CODE} refundLines={LINES} />
    </MemoryRouter>,
  );
  return { user: userEvent.setup(), ...view };
}

/** The form, opened by its title. */
function showOpen() {
  const view = show();
  fold().open = true;
  return view;
}

const fold = () => screen.getByRole<HTMLDetailsElement>('group');

const answer = (status: number, body: unknown) => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json: async () => body,
});
const units = (name: string) => screen.getByRole('textbox', { name: new RegExp(`Units of ${name}`) });
const showButton = () => screen.getByRole('button', { name: 'Show what it does' });

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(units('VAT basics'), '1');
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Bought twice');
}

test('too many units, none, and a missing reason are named before any call', async () => {
  const { user } = showOpen();
  await user.click(showButton());
  expect(screen.getByRole('alert')).toHaveTextContent('Enter how many units of a line to refund.');
  await user.type(units('Tax tables'), '4');
  await user.click(showButton());
  expect(units('Tax tables')).toHaveAccessibleDescription(/Enter a whole number up to 3\./);
  expect(fetching).not.toHaveBeenCalled();
});

test('what it does is shown first, and that amount is sent', async () => {
  fetching.mockResolvedValueOnce(answer(200, PREVIEW)).mockResolvedValue(answer(403, { detail: 'No.' }));
  const { user } = showOpen();
  await fill(user);
  await user.click(showButton());
  expect(await screen.findByText('Access to VAT basics ends.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Refund $40.00' }));
  const [address, { body }] = fetching.mock.calls[1];
  expect(address).toBe(`/api/admin/orders/${CODE}/refunds`);
  expect(JSON.parse(body)).toMatchObject({
    lines: [{ number: 1, quantity: 1 }],
    amountMinor: 4000,
    reason: 'Bought twice',
    keepsAccess: false,
  });
});

test('a preview of other values is shown no more', async () => {
  fetching.mockResolvedValue(answer(200, PREVIEW));
  const { user } = showOpen();
  await fill(user);
  await user.click(showButton());
  await screen.findByText('Access to VAT basics ends.');
  await user.type(units('Tax tables'), '1');
  expect(screen.queryByText('Access to VAT basics ends.')).toBeNull();
  expect(showButton()).toBeVisible();
});

test('what is typed is there again after signing in again', async () => {
  const problem = { detail: 'insufficient_authentication_context', maxAge: 600 };
  fetching.mockResolvedValueOnce(answer(200, PREVIEW)).mockResolvedValue(answer(403, problem));
  const { user, unmount } = showOpen();
  await fill(user);
  await user.click(showButton());
  await user.click(await screen.findByRole('button', { name: 'Refund $40.00' }));
  expect(await screen.findByText('Please sign in again')).toBeVisible();
  unmount();
  show();
  expect(fold().open).toBe(true);
  expect(units('VAT basics')).toHaveValue('1');
  expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveValue('Bought twice');
});
