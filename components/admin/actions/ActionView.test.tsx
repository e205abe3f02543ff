import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import type { ActionPageProps } from '../../contracts/schema';
import { renderInShop } from '../../fixtures/renderInShop';
import { ActionView } from './ActionView';

type Action = ActionPageProps['actions'][number];
type Field = Action['fields'][number];

const CALL = '/organization/seats/buy';
const fetching = jest.fn();

beforeEach(() => {
  sessionStorage.clear();
  fetching.mockReset();
  globalThis.fetch = fetching;
});

const field = (name: string, kind: Field['kind'], value: string): Field => ({
  ...{ name, kind, value, label: name, hint: '', isRequired: true, maxLength: 500, options: [], href: '' },
});

/** A form for each contract, all of one call. */
const action = (contract: string): Action => ({
  ...{ id: `buy-${contract}`, title: `Contract ${contract}`, text: '', call: CALL, button: 'Order' },
  ...{ isDangerous: false, question: null, leadsTo: null },
  fields: [field('contract', 'fixed', contract), field('Seats', 'line', '10')],
});

function view(actions: Action[]) {
  const known = {
    title: 'Seats',
    heading: 'Seats',
    backHref: '/',
    backText: 'Back',
    facts: [],
    texts: [],
    tables: [],
  };
  return (
    <MemoryRouter>
      <ActionView {...known} actions={actions} />
    </MemoryRouter>
  );
}

const seatsOf = (contract: string) =>
  within(screen.getByRole('region', { name: `Contract ${contract}` })).getByRole('textbox');

test('what is typed stays in its own form when another one comes before it', async () => {
  const { rerender } = renderInShop(view([action('1'), action('2')]));
  await userEvent.clear(seatsOf('2'));
  await userEvent.type(seatsOf('2'), '250');
  rerender(view([action('3'), action('1'), action('2')]));
  expect(['1', '2', '3'].map((contract) => seatsOf(contract))).toEqual([
    expect.objectContaining({ value: '10' }),
    expect.objectContaining({ value: '250' }),
    expect.objectContaining({ value: '10' }),
  ]);
});

test('after a reload it is in that form again, and in no other', async () => {
  const { unmount } = renderInShop(view([action('1'), action('2')]));
  await userEvent.clear(seatsOf('2'));
  await userEvent.type(seatsOf('2'), '250');
  unmount();
  renderInShop(view([action('1'), action('2')]));
  expect(await screen.findByDisplayValue('250')).toBe(seatsOf('2'));
  expect(seatsOf('1')).toHaveValue('10');
});

test('an error of a field that nobody sees is shown and gets the focus', async () => {
  fetching.mockResolvedValue({
    ok: false,
    status: 422,
    headers: new Headers(),
    json: async () => ({ detail: 'Wrong.', errors: { contract: 'The price has changed.' } }),
  });
  renderInShop(view([action('1')]));
  await userEvent.click(screen.getByRole('button', { name: 'Order' }));
  const error = await screen.findByText('The price has changed.');
  await waitFor(() => expect(error.closest('.form-error')).toHaveFocus());
});

test('fields that nobody sees take no row of the form until one has an error', () => {
  const style = document.createElement('style');
  style.textContent = readFileSync(join(__dirname, '../../../static/css/area-pages.css'), 'utf8');
  const { container } = renderInShop(view([action('1')]));
  container.append(style);
  const alert = container.querySelector('.area-form > [role="alert"]');
  expect(alert).not.toBeVisible();
  alert?.append('The price has changed.');
  expect(alert).toBeVisible();
});

test('messages of a form take no row of it until there is one', () => {
  const style = document.createElement('style');
  style.textContent = readFileSync(join(__dirname, '../../../static/css/area-pages.css'), 'utf8');
  const { container } = renderInShop(view([action('1')]));
  container.append(style);
  const status = container.querySelector('.area-form > .form-status');
  expect(status).not.toBeVisible();
  status?.querySelector('[role="alert"]')?.append('The price has changed.');
  expect(status).toBeVisible();
});
