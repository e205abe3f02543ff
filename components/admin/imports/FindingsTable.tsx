import { useSite } from '../../api/site';
import type { ImportStatus } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { tableFormatOf } from '../../ui/table/TableCell';
import { ShortTable, type TableAlone } from '../ShortTable';

type FindingsTableProps = { status: ImportStatus; format: Format };

/** What was found about single rows, with their lines in the file. */
export function FindingsTable({ status: { findings, moreFindings }, format }: FindingsTableProps) {
  const tableFormat = tableFormatOf(useSite());
  if (findings.length === 0) return null;
  const table: TableAlone = {
    id: 'findings',
    title: 'Rows to look at',
    columns: [
      { key: 'line', label: 'Line', kind: 'count' },
      { key: 'about', label: 'What', kind: 'text' },
      { key: 'text', label: 'Why', kind: 'text' },
    ],
    rows: findings.map(({ line, about, text }) => [
      { kind: 'count', value: line },
      { kind: 'text', text: about },
      { kind: 'text', text },
    ]),
    empty: '',
  };
  return (
    <>
      <ShortTable table={table} format={tableFormat} />
      {moreFindings > 0 && <p className="muted">{`And ${format.count(moreFindings)} more.`}</p>}
    </>
  );
}
