import type { VisitReportProps } from '../contracts/schema';
import { StaffTime } from '../ui/StaffTime';
import type { TableFormat } from '../ui/table/TableCell';

type ReportNotesProps = Pick<VisitReportProps, 'notes' | 'builtAt'> & { format: TableFormat };

/** How to read a report, and how new it is. */
export function ReportNotes({ notes, builtAt, format }: ReportNotesProps) {
  if (notes.length === 0 && !builtAt) return null;
  return (
    <ul className="report-notes muted">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
      {builtAt && (
        <li>
          Computed at <StaffTime at={builtAt} format={format.time} />.
        </li>
      )}
    </ul>
  );
}
