import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { CouponLab } from './CouponLab';

const QUOTE = {
  lines: [
    {
      name: 'VAT basics',
      quantity: 2,
      steps: [
        { text: 'List price', changeMinor: 0, totalMinor: 8000 },
        { text: 'SPRING', changeMinor: -800, totalMinor: 7200 },
      ],
      rejectedOffers: [{ name: 'Northwind', totalMinor: 7600, message: 'SPRING is lower.' }],
    },
  ],
  refusals: [{ code: 'OLD', product: null, message: 'This code cannot be used.' }],
  unavailable: ['Retired course'],
  subtotalMinor: 7200,
  discountMinor: 0,
  totalMinor: 7200,
};
const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset();
  globalThis.fetch = fetching;
});

function show() {
  renderInShop(
    <MemoryRouter>
      <CouponLab title="Coupon lab" organisations={[{ value: '', label: 'Nobody' }]} mayNameLearner={false} />
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const lines = () => screen.getByRole('textbox', { name: /Products/ });
const press = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Price it' }));

test('lines are read as product, quantity and code, and the quote is shown', async () => {
  fetching.mockResolvedValue({ ok: true, status: 200, headers: new Headers(), json: async () => QUOTE });
  const user = show();
  await user.type(lines(), 'vat-basics 2 SPRING{Enter}tax-tables');
  await press(user);
  const steps = await screen.findByRole('table', { name: 'How the prices come about' });
  expect(within(steps).getByText('$72.00')).toBeVisible();
  expect(screen.getByText('SPRING is lower.')).toBeVisible();
  expect(screen.getByRole('table', { name: 'Refused codes' })).toHaveTextContent('The whole cart');
  expect(screen.getByText('Not sold to them: Retired course.')).toBeVisible();
  expect(JSON.parse(fetching.mock.calls[0][1].body).lines).toEqual([
    { product: 'vat-basics', quantity: 2, code: 'SPRING' },
    { product: 'tax-tables', quantity: 1, code: '' },
  ]);
});

test('without a product nothing is priced', async () => {
  const user = show();
  await press(user);
  expect(lines()).toHaveAccessibleDescription(/Enter at least one product\./);
  expect(fetching).not.toHaveBeenCalled();
});
