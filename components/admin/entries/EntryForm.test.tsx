import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { EntryForm } from './EntryForm';
import { CATEGORY, INSTRUCTOR } from './entryKinds';

const fetching = jest.fn();
const ENTRY = {
  title: 'Entry',
  heading: 'Tax',
  backHref: '/admin/x',
  entryId: 7,
  version: 41,
  slug: 'tax',
  picture: null,
};

beforeEach(() => {
  sessionStorage.clear();
  fetching.mockReset().mockResolvedValue(Response.json({ id: 7, version: 42 }));
  globalThis.fetch = fetching;
});

test.each([
  [CATEGORY, { name: 'Tax', description: 'All of it.', position: 2 }, 'Save category'],
  [INSTRUCTOR, { name: 'Tax', title: 'Analyst', bio: 'Writes.' }, 'Save instructor'],
])('what is typed about one is sent with its version: $noun', async (kind, fields, button) => {
  renderInShop(
    <MemoryRouter>
      <EntryForm kind={kind} entry={{ ...ENTRY, fields }} />
    </MemoryRouter>,
  );
  const user = userEvent.setup();
  await user.clear(screen.getByLabelText(/^Name/));
  await user.type(screen.getByLabelText(/^Name/), 'Wages');
  await user.click(screen.getByRole('button', { name: button }));
  const [path, request] = fetching.mock.calls[0];
  expect([path, request.method]).toEqual([`/api/admin/${kind.list}/7`, 'PUT']);
  expect(JSON.parse(request.body)).toEqual({ ...fields, name: 'Wages', version: 41 });
});

test('without a name nothing is sent', async () => {
  renderInShop(
    <MemoryRouter>
      <EntryForm
        kind={CATEGORY}
        entry={{ ...ENTRY, fields: { name: 'Tax', description: '', position: 2 } }}
      />
    </MemoryRouter>,
  );
  const user = userEvent.setup();
  await user.clear(screen.getByLabelText(/^Name/));
  await user.click(screen.getByRole('button', { name: 'Save category' }));
  expect(screen.getByText('Enter a name.')).toBeVisible();
  expect(fetching).not.toHaveBeenCalled();
});
