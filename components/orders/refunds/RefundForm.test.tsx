import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { refundForm, refundLine } from '../../fixtures/orders/refunds';
import { renderInShop } from '../../fixtures/renderInShop';
import { RefundForm } from './RefundForm';

const CODE = 'BADECUFIGOHAKELIMONU';
const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset();
  globalThis.fetch = fetching;
});

function show(form = refundForm()) {
  const { container } = renderInShop(
    <MemoryRouter>
      <RefundForm code={CODE} form={form} />
    </MemoryRouter>,
  );
  const details = container.querySelector('details');
  if (details) details.open = true;
  return { user: userEvent.setup(), container };
}

const box = (name: RegExp) => screen.getByRole('checkbox', { name });
const press = () => screen.getByRole('button', { name: 'Request a refund' });
const sum = () => screen.getByText(/^You get back/).textContent;

function answer(status: number, body: unknown) {
  return { ok: status < 400, status, headers: new Headers(), json: async () => body };
}

test('what cannot be refunded says why and cannot be chosen', () => {
  show();
  const voucher = screen.getByText('Exam voucher').closest('li') as HTMLElement;
  expect(within(voucher).queryByRole('checkbox')).toBeNull();
  expect(voucher).toHaveTextContent('The code has been used to book a sitting.');
});

test('right after an order the form is closed, and a link to it opens it', () => {
  const closed = renderInShop(
    <MemoryRouter>
      <RefundForm code={CODE} form={refundForm()} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('heading', { name: 'Refunds' })).toBeVisible();
  expect(screen.getByText(/^Choose what you want/)).not.toBeVisible();
  closed.unmount();
  window.history.replaceState(null, '', '#refunds');
  renderInShop(
    <MemoryRouter>
      <RefundForm code={CODE} form={refundForm()} />
    </MemoryRouter>,
  );
  expect(screen.getByText(/^Choose what you want/)).toBeVisible();
  window.history.replaceState(null, '', '/');
});

test('where nothing can be refunded there is no form', () => {
  const { container } = show(
    refundForm({ lines: [refundLine({ quantity: 0, amounts: [], refusal: 'This was refunded.' })] }),
  );
  expect(container.querySelector('form')).toBeNull();
  expect(screen.getByText('This was refunded.')).toBeVisible();
});

test('the amount and what happens next are shown before it is sent', async () => {
  const { user } = show();
  expect(screen.queryByText(/^You get back/)).toBeNull();
  await user.click(box(/SQL/));
  expect(sum()).toBe('You get back $40.00');
  expect(screen.getByText(/^It is approved at once:/)).toBeVisible();
  await user.click(box(/Art of Ledgers/));
  expect(sum()).toBe('You get back $55.00 including $5.00 for delivery');
  expect(screen.getByText(/with the address for the return\.$/)).toBeVisible();
  await user.selectOptions(screen.getByLabelText('How many of The Art of Ledgers'), '1 of 3');
  expect(sum()).toBe('You get back $43.33');
});

test('a line shows what all of its units give back, which a press chooses, and then what the chosen ones do', async () => {
  const { user } = show();
  const line = box(/Art of Ledgers/).closest('li') as HTMLElement;
  const price = () => line.querySelector('.refund__price')?.textContent;
  expect(price()).toBe('$10.00');
  await user.click(box(/Art of Ledgers/));
  expect(price()).toBe('$10.00');
  await user.selectOptions(screen.getByLabelText('How many of The Art of Ledgers'), '1 of 3');
  expect(price()).toBe('$3.33');
});

test('what the kind needs is confirmed first', async () => {
  const { user } = show();
  await user.click(press());
  expect(screen.getByRole('alert')).toHaveTextContent('Choose what you want to return.');
  expect(screen.queryByRole('checkbox', { name: /deleted/ })).toBeNull();
  await user.click(box(/Honest/));
  await user.click(press());
  expect(box(/deleted all my copies/)).toHaveAccessibleDescription('Confirm this to go on.');
  expect(box(/deleted all my copies/)).toHaveFocus();
  expect(fetching).not.toHaveBeenCalled();
});

test('units, confirmations and the note are sent with the key', async () => {
  fetching.mockResolvedValue(answer(422, { errors: { 'line.2': 'The Art of Ledgers: This was refunded.' } }));
  const { user } = show();
  await user.click(box(/Art of Ledgers/));
  await user.selectOptions(screen.getByLabelText('How many of The Art of Ledgers'), '2 of 3');
  await user.click(box(/I return the goods/));
  await user.type(screen.getByLabelText(/Anything we should know/), ' torn ');
  await user.click(press());
  const [address, { body }] = fetching.mock.calls[0];
  expect(address).toBe(`/api/orders/${CODE}/refunds`);
  expect(JSON.parse(body)).toEqual({
    key: 'key-1',
    lines: [{ number: 2, quantity: 2 }],
    confirm: ['returned'],
    note: 'torn',
  });
  expect(await screen.findByText('The Art of Ledgers: This was refunded.')).toBeVisible();
  expect(box(/Art of Ledgers/)).toBeInvalid();
  expect(sum()).toBe('You get back $6.67');
});

test('a request that was sent is confirmed in the words of the answer', async () => {
  const done = { status: 'approved', message: 'We refund USD 40.00 to the way you paid.', order: {} };
  fetching.mockResolvedValueOnce(answer(200, done)).mockResolvedValue(answer(503, {}));
  const { user } = show();
  await user.click(box(/SQL/));
  await user.click(press());
  expect(await screen.findByText('Your refund is approved')).toBeVisible();
  expect(screen.getByText(done.message)).toBeVisible();
});
