import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { renderInShop } from '../../fixtures/renderInShop';
import { filteredTable } from '../../fixtures/tables';
import { ProductList } from './ProductList';

const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset().mockResolvedValue(Response.json({ id: 5 }, { status: 201 }));
  globalThis.fetch = fetching;
});

function show() {
  renderInShop(
    <MemoryRouter initialEntries={['/admin/courses']}>
      <Routes>
        <Route path="/admin/bulk/5" element={<h1>Change 1 course</h1>} />
        <Route
          path="*"
          element={<ProductList title="Courses" table={filteredTable()} kind="course" actions={null} />}
        />
      </Routes>
    </MemoryRouter>,
  );
  return userEvent.setup();
}

const sent = () => JSON.parse(fetching.mock.calls[0][1].body);

test('the selected rows lead to the page of one change of them', async () => {
  const user = show();
  await user.click(screen.getByLabelText('Select Payroll Basics'));
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('heading', { name: 'Change 1 course' })).toBeVisible();
  expect(sent()).toEqual({ kind: 'course', purpose: 'publish', ids: [0], filters: null });
});

test('everything that matches is chosen by its filters', async () => {
  const user = show();
  await user.click(screen.getByLabelText('Select all rows of this page'));
  await user.click(screen.getByRole('button', { name: /that match/ }));
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByRole('heading', { name: 'Change 1 course' })).toBeVisible();
  expect(sent()).toEqual({ kind: 'course', purpose: 'publish', ids: null, filters: { state: 'draft' } });
});

test('a refusal is said, and the rows stay selected', async () => {
  fetching.mockResolvedValue(Response.json({ detail: 'Nothing matches any more.' }, { status: 403 }));
  const user = show();
  await user.click(screen.getByLabelText('Select Payroll Basics'));
  await user.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Nothing matches any more.')).toBeVisible();
  expect(screen.getByLabelText('Select Payroll Basics')).toBeChecked();
});
