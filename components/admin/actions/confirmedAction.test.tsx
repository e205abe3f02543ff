import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { type Action, ActionForm } from './ActionForm';

const CALL = '/admin/orders/BADECUFI/refunds';
const PREVIEW = {
  effects: ['$40.00 goes back.', 'Access to VAT basics ends.'],
  lacks: [],
  html: {},
  button: 'Refund $40.00',
  confirmed: { amountMinor: 4000 },
};
const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset();
  sessionStorage.clear();
  globalThis.fetch = fetching;
});

const field = (name: string, label: string, kind: 'number' | 'line') => ({
  ...{ name, label, kind, hint: '', isRequired: kind === 'line', maxLength: 500, value: '' },
  ...{ options: [], href: '', minimum: 0, maximum: 3 },
});

const REFUND: Action = {
  ...{ id: 'refund', title: 'Refund lines', text: '', call: CALL, button: 'Show what it does' },
  ...{ isDangerous: true, question: null, leadsTo: null, isIdempotent: true },
  preview: { call: `${CALL}/preview`, when: 'confirmed' },
  fields: [
    field('units.1', 'Units of VAT basics', 'number'),
    field('units.2', 'Units of Tax tables', 'number'),
    field('reason', 'Reason', 'line'),
  ],
};

function show() {
  renderInShop(
    <MemoryRouter>
      <ActionForm action={REFUND} />
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const answer = (status: number, body: unknown) => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json: async () => body,
});
const units = (name: string) => screen.getByRole('textbox', { name: `Units of ${name}` });
const showButton = () => screen.getByRole('button', { name: 'Show what it does' });

test('too many units and a missing reason are named before any call', async () => {
  const user = show();
  await user.type(units('Tax tables'), '4');
  await user.click(showButton());
  expect(units('Tax tables')).toHaveAccessibleDescription(/Enter a whole number from 0 to 3\./);
  expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveAccessibleDescription(/this is needed/);
  expect(fetching).not.toHaveBeenCalled();
});

test('what it does is shown first, and what was shown is sent with what is typed', async () => {
  fetching.mockResolvedValueOnce(answer(200, PREVIEW)).mockResolvedValue(answer(403, { detail: 'No.' }));
  const user = show();
  await user.type(units('VAT basics'), '1');
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Bought twice');
  await user.click(showButton());
  expect(await screen.findByText('Access to VAT basics ends.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Refund $40.00' }));
  expect(await screen.findByText('No.')).toBeVisible();
  const sent = { units: { 1: 1, 2: 0 }, reason: 'Bought twice' };
  expect(fetching.mock.calls.map(([address, { body }]) => [address, JSON.parse(body)])).toEqual([
    [`/api${CALL}/preview`, sent],
    [`/api${CALL}`, { ...sent, amountMinor: 4000 }],
  ]);
});
