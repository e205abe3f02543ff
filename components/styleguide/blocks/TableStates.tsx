import { SITE } from '../../fixtures/catalogue';
import { courseRow, filteredTable, table } from '../../fixtures/tables';
import { DataTable } from '../../ui/table/DataTable';
import { TableFailed, TableLoading } from '../../ui/table/TableStates';
import { Group, State } from '../guide/Guide';
import { JAPANESE, UNBROKEN } from '../guide/texts';

const noop = () => undefined;
const wait = () => new Promise<void>((done) => setTimeout(done, 1500));
const LONG = [UNBROKEN, JAPANESE].map((name, id) =>
  courseRow({ name, days: 9, tone: 'neutral', minor: 999_999_999, percent: 50 }, id),
);
const letters = table({
  caption: 'Dead letters',
  columns: [
    { key: 'task', label: 'Task', kind: 'text', sort: null },
    { key: 'failed', label: 'Failed', kind: 'time', sort: null },
  ],
  columnChoices: [],
  sorts: [],
  filters: [],
  rows: [3, 2, 1].map((id) => ({
    id: String(id),
    cells: [
      { kind: 'text', text: 'visits.store' },
      { kind: 'time', at: `2026-03-0${id}T23:05:00+00:00` },
    ],
  })),
  total: { count: 10_000, isMore: true },
  pagination: null,
  older: { newest: '#newest', older: '#older' },
  csvHref: null,
  csvAllHref: null,
  csvNeedsSignIn: false,
});

export function TableStates() {
  return (
    <Group
      id="tables"
      title="Tables"
      text="Lists for staff. Sort, filters, columns and pages are links and one form; select rows for what can be done with them."
    >
      <State label="A list, with rows to select" ground="bare">
        <DataTable table={table({ csvAllHref: '#all' })} site={SITE} onBulk={wait} />
      </State>
      <State label="Filtered, by a URL with a value that the list does not know" ground="bare">
        <DataTable
          table={filteredTable({
            ignored: [{ label: 'Sort', value: 'price' }],
            total: { count: 4, isMore: false },
          })}
          site={SITE}
        />
      </State>
      <State label="Other rows are on their way" ground="bare">
        <DataTable table={table({ filters: [], columnChoices: [] })} site={SITE} isLoading />
      </State>
      <State label="Longer than their place" ground="bare">
        <DataTable table={table({ rows: LONG, filters: [] })} site={SITE} onBulk={wait} />
      </State>
      <State label="More rows than are counted, of a list that only grows" ground="bare">
        <DataTable table={letters} site={SITE} />
      </State>
      <State label="No row matches" ground="bare">
        <DataTable table={filteredTable({ rows: [], total: { count: 0, isMore: false } })} site={SITE} />
      </State>
      <State label="No row yet" ground="bare">
        <DataTable table={table({ rows: [], total: { count: 0, isMore: false } })} site={SITE} />
      </State>
      <State label="Loading, below the heading of the page" ground="bare">
        <TableLoading caption="Courses" rows={4} />
      </State>
      <State label="Failed" ground="bare">
        <TableFailed caption="Courses" reference="01JQ8X" onRetry={noop} />
      </State>
    </Group>
  );
}
