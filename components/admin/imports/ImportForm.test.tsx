import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { ImportForm } from './ImportForm';

const fetching = jest.fn();
const LEVEL = { name: 'level', field: 'level', samples: ['2nd year'], warning: '', unread: ['2nd year'] };
const STATE = { name: 'state', field: 'status', samples: ['Sold out'], warning: '', unread: ['Sold out'] };
const COST = { name: 'cost', field: null, samples: ['free'], warning: '', unread: [] };

beforeEach(async () => {
  fetching.mockReset();
  // The check itself is refused: what it says is on the server, and its page another one.
  fetching.mockImplementation(async (address: string) =>
    address.endsWith('/checks')
      ? new Response('{"detail":"Not now."}', { status: 403 })
      : new Response(JSON.stringify({ columns: [LEVEL, STATE, COST] })),
  );
  globalThis.fetch = fetching;
  renderInShop(
    <MemoryRouter>
      <ImportForm
        upload={{
          ...{ id: 7, name: 'list.csv', bytes: 9, purpose: 'import', partBytes: 9 },
          ...{ missing: [], isComplete: true, expiresAt: '2026-03-02T12:00:00Z' },
        }}
        courseFields={[{ name: 'level', isRequired: false }]}
        itemFields={[{ name: 'sku', isRequired: false }]}
        presets={[{ name: 'shopify', label: 'Shopify', kind: 'items' }]}
        encodings={['utf-8', 'windows-1252']}
        meanings={{ level: ['beginner', 'intermediate'], status: ['published', 'draft'] }}
      />
    </MemoryRouter>,
  );
  await screen.findByLabelText('cost');
});

/** After the answers of the calls that were made. */
const settled = () =>
  act(async () => void (await Promise.all(fetching.mock.results.map(({ value }) => value))));

/** What the last call sent. */
const lastBody = () => JSON.parse(fetching.mock.lastCall?.[1].body);

test('a preset chooses the kind of rows, and the columns are read anew', async () => {
  await userEvent.selectOptions(screen.getByLabelText('The file comes from'), 'shopify');
  expect(screen.getByLabelText('The rows are')).toEqual(expect.objectContaining({ value: 'items' }));
  await waitFor(() => expect(lastBody()).toMatchObject({ uploadId: 7, preset: 'shopify', kind: 'items' }));
  await settled();
});

test('a column is left out, a word gets a meaning, and the check is asked for with both', async () => {
  await userEvent.selectOptions(screen.getByLabelText('cost'), 'Leave it out');
  await userEvent.selectOptions(screen.getByLabelText('“2nd year” means'), 'intermediate');
  expect(screen.getByLabelText('“Sold out” means')).toHaveTextContent('Not known: a draft');
  await userEvent.selectOptions(screen.getByLabelText('“Sold out” means'), 'draft');
  await userEvent.selectOptions(screen.getByLabelText('Sign before decimals'), ',');
  await userEvent.click(screen.getByRole('button', { name: 'Check the file' }));
  await waitFor(() => expect(fetching.mock.lastCall?.[0]).toMatch('/admin/imports/checks'));
  expect(lastBody()).toMatchObject({
    mapping: {},
    ignored: ['cost'],
    words: { level: { '2nd year': 'intermediate' }, status: { 'Sold out': 'draft' } },
    decimal: ',',
    encoding: 'utf-8',
    constants: {},
  });
  await settled();
});
