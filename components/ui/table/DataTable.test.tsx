import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { SITE } from '../../fixtures/catalogue';
import { courseRow, filteredTable, table } from '../../fixtures/tables';
import { DataTable } from './DataTable';
import { TableFailed } from './TableStates';

const noRows = { rows: [], total: { count: 0, isMore: false } };

test('a table has a caption, headings that sort by links, and names its rows', () => {
  render(<DataTable table={table()} site={SITE} />);
  const headings = screen.getAllByRole('columnheader');
  expect(screen.getByRole('table', { name: 'Courses' })).toBeVisible();
  expect(headings.map((heading) => heading.getAttribute('aria-sort'))).toEqual([
    ...[null, null, null, 'descending', null, null, null, null],
  ]);
  expect(screen.getByRole('link', { name: 'Changed UTC' }).getAttribute('href')).toBe('#changed');
  expect(screen.getByRole('rowheader', { name: 'Payroll Basics' })).toBeVisible();
});

test('every kind of cell is in the form of the shop', () => {
  render(<DataTable table={table()} site={SITE} />);
  const rows = screen.getAllByRole('row');
  const texts = (row: number) => [...(rows[row]?.children ?? [])].map((cell) => cell.textContent);
  expect(texts(2)).toEqual([
    'Value-Added Tax for Small Firms',
    '',
    'Published',
    'Mar 11, 2026, 09:30',
    '407',
    '$1,299.00',
    'Completed100%',
    'Ada Lovelace',
  ]);
  expect(texts(4).at(-1)).toBe('–');
});

test('filters, order and columns are one form that leads to the list', () => {
  render(<DataTable table={filteredTable()} site={SITE} />);
  const form = screen.getByRole<HTMLFormElement>('form', { name: 'Filters of Courses' });
  expect([form.method, form.getAttribute('action')]).toEqual(['get', '/admin/courses']);
  expect([...new FormData(form)]).toEqual([
    ['q', ''],
    ['state', 'draft'],
    ['since', ''],
    ['sort', '-changed'],
    ['columns', 'name'],
    ['columns', 'image'],
    ['columns', 'state'],
  ]);
});

test('a choice applies at once and keeps the focus, while a text and the columns wait for the button', async () => {
  const submitted: FormData[] = [];
  const follow = (event: Event) => {
    event.preventDefault();
    submitted.push(new FormData(event.target as HTMLFormElement));
  };
  document.addEventListener('submit', follow);
  const { rerender } = render(<DataTable table={table()} site={SITE} />);
  const user = userEvent.setup();
  await user.type(screen.getByRole('searchbox'), 'pay');
  await user.click(screen.getByText('Columns', { selector: 'summary' }));
  await user.click(screen.getAllByRole('checkbox', { name: 'State' })[0] as HTMLElement);
  expect(submitted).toEqual([]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'draft');
  expect(submitted.map((data) => [data.get('q'), data.get('state')])).toEqual([['pay', 'draft']]);
  (document.activeElement as HTMLElement).blur();
  rerender(<DataTable table={filteredTable()} site={SITE} />);
  expect(screen.getByRole('combobox', { name: 'State' })).toHaveFocus();
  document.removeEventListener('submit', follow);
});

test('the form follows the list to another state', () => {
  const { rerender } = render(<DataTable table={filteredTable()} site={SITE} />);
  rerender(<DataTable table={table()} site={SITE} />);
  expect(screen.getByRole('combobox', { name: 'State' })).toHaveValue('');
});

test('an active filter is a link without it, and all of them are cleared by one', () => {
  render(<DataTable table={filteredTable(noRows)} site={SITE} />);
  const chip = screen.getByRole('link', { name: 'Remove filter State: Draft' });
  expect(chip.getAttribute('href')).toBe('/admin/courses?sort=name');
  expect(screen.getByRole('heading', { name: 'No row matches these filters' })).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Clear filters' })).toHaveLength(2);
});

test('before there is any row it says what will be here, and nothing filters', () => {
  render(<DataTable table={table(noRows)} site={SITE} />);
  expect(screen.getByRole('heading', { name: 'No courses yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Import a file' }).getAttribute('href')).toBe('#import');
  expect(screen.queryByRole('form')).toBeNull();
});

test('where columns are not shown, another file has all of them', () => {
  const { rerender } = render(
    <DataTable table={table({ csvAllHref: '/csv/admin/courses?columns=x' })} site={SITE} />,
  );
  const link = screen.getByRole('link', { name: 'CSV with all columns' });
  expect(link.getAttribute('href')).toBe('/csv/admin/courses?columns=x');
  rerender(<DataTable table={table()} site={SITE} />);
  expect(screen.queryByRole('link', { name: 'CSV with all columns' })).toBeNull();
});

test('a value that the list does not know is named', () => {
  render(<DataTable table={table({ ignored: [{ label: 'Page', value: '99' }] })} site={SITE} />);
  expect(screen.getByText('Left out, because this list does not have it: Page “99”.')).toBeVisible();
});

test.each([
  [{ count: 1, isMore: false }, '1 row'],
  [{ count: 3412, isMore: false }, '3,412 rows'],
  [{ count: 10_000, isMore: true }, '10,000+ rows'],
])('a total of %j is %s', (total, text) => {
  render(<DataTable table={table({ total })} site={SITE} />);
  expect(screen.getByText(text)).toBeVisible();
});

test('a list that only grows leads to older rows instead of pages', () => {
  const older = { newest: null, older: '/admin/courses?before=7' };
  render(<DataTable table={table({ pagination: null, older })} site={SITE} />);
  const pages = screen.getByRole('navigation', { name: 'Pages' });
  expect(within(pages).getByRole('link').getAttribute('href')).toBe('/admin/courses?before=7');
});

function renderSelectable(overrides = {}) {
  const onBulk = jest.fn(() => Promise.resolve());
  const view = render(<DataTable table={table(overrides)} site={SITE} onBulk={onBulk} />);
  return { onBulk, ...view };
}

test('an action gets the selected rows, which are then no longer selected', async () => {
  const { onBulk } = renderSelectable();
  await userEvent.click(screen.getByLabelText('Select Payroll Basics'));
  await userEvent.click(screen.getByLabelText('Select Python for Analysts'));
  expect(screen.getByText('2 rows')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(onBulk).toHaveBeenCalledWith('publish', { ids: ['0', '2'] });
  expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
});

test('everything that matches is selected by its filters, after the page', async () => {
  const { onBulk } = renderSelectable({ filters: filteredTable().filters });
  await userEvent.click(screen.getByLabelText('Select all rows of this page'));
  expect(screen.getByText('4 rows')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Select all 3,412 that match' }));
  expect(screen.getByRole('region', { name: 'Rows of Courses' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(onBulk).toHaveBeenCalledWith('publish', { filters: { state: 'draft' } });
});

test('a dangerous action asks first, and does nothing when it is refused', async () => {
  const { onBulk } = renderSelectable();
  await userEvent.click(screen.getByLabelText('Select The Month-End Close'));
  await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
  const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Retire: 1 row?' });
  // jsdom does not know the method of the dialog's form.
  await act(async () => dialog.close(''));
  expect(onBulk).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
  await act(async () => screen.getByRole<HTMLDialogElement>('dialog').close('yes'));
  expect(onBulk).toHaveBeenCalledWith('retire', { ids: ['3'] });
  expect(screen.getByRole('region', { name: 'Rows of Courses' })).toHaveFocus();
});

test('the rows of another page begin without a selection', async () => {
  const { onBulk, rerender } = renderSelectable();
  await userEvent.click(screen.getByLabelText('Select Payroll Basics'));
  const name = { name: 'Payroll Basics', days: 1, tone: 'good', minor: 0, percent: 0 } as const;
  rerender(<DataTable table={table({ rows: [courseRow(name, 0)] })} site={SITE} onBulk={onBulk} />);
  expect(screen.getByLabelText('Select Payroll Basics')).not.toBeChecked();
});

test('while an action is under way no other press does anything', async () => {
  const onBulk = jest.fn(() => new Promise<void>(() => undefined));
  render(<DataTable table={table()} site={SITE} onBulk={onBulk} />);
  await userEvent.click(screen.getByLabelText('Select Payroll Basics'));
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await userEvent.click(screen.getByRole('button', { name: 'Working…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Retire' }));
  expect(onBulk).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an action that fails keeps the selection', async () => {
  const onBulk = jest.fn(() => Promise.reject(new Error('refused')));
  render(<DataTable table={table()} site={SITE} onBulk={onBulk} />);
  await userEvent.click(screen.getByLabelText('Select Payroll Basics'));
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(screen.getByLabelText('Select Payroll Basics')).toBeChecked();
  expect(screen.getByRole('button', { name: 'Publish' })).not.toHaveAttribute('aria-disabled');
});

test('the server renders the whole list, without a style attribute', () => {
  const html = renderToString(<DataTable table={table()} site={SITE} />);
  expect(html).toContain(
    '<th role="rowheader" scope="row" class="table__cell table__cell--link" data-label="Name">',
  );
  expect(html).not.toMatch(/\sstyle=/);
});

test('a list that failed says so at once and can be tried again', async () => {
  const onRetry = jest.fn();
  render(<TableFailed caption="Courses" reference="01JQ8X" onRetry={onRetry} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Courses could not be loaded');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});
