import { useState } from 'react';
import type { BulkAction, TableProps } from '../../contracts/schema';
import { ConfirmDialog } from '../ConfirmDialog';
import { Button } from '../controls/Button';
import type { TableFormat } from './TableCell';
import { totalText } from './TableNotes';
import type { Selected, Selection } from './useSelection';

type BulkBarProps = {
  table: TableProps;
  selection: Selection;
  format: TableFormat;
  onBulk: (action: string, selected: Selected) => Promise<void>;
  /** For buttons that go away when they are pressed: the focus needs another place. */
  focusRows: () => void;
};

/** What can be done with the selected rows, and how to select more. */
export function BulkBar({ table, selection, format, onBulk, focusRows }: BulkBarProps) {
  const [question, setQuestion] = useState<BulkAction | null>(null);
  // Id of the action under way.
  const [running, setRunning] = useState<string | null>(null);
  const text = totalText({ count: selection.count, isMore: selection.isAll && table.total.isMore }, format);
  const clear = () => {
    selection.clear();
    focusRows();
  };
  const carryOut = async ({ id }: BulkAction) => {
    setRunning(id);
    try {
      await onBulk(id, selection.selected());
      clear();
    } catch {
      // The page has said why. The rows stay selected for another try.
    } finally {
      setRunning(null);
    }
  };
  const start = (action: BulkAction) => {
    if (action.isDangerous) setQuestion(action);
    else void carryOut(action);
  };
  return (
    <section className="table__bulk row" aria-label="Selected rows">
      <p role="status">
        <strong>{text}</strong> selected
      </p>
      <MoreRows table={table} selection={selection} format={format} focusRows={focusRows} />
      <Button variant="text" onClick={clear}>
        Clear selection
      </Button>
      <div className="table__actions row">
        {table.bulkActions.map((action) => (
          <Button
            key={action.id}
            variant={action.isDangerous ? 'danger' : 'main'}
            isBusy={running === action.id}
            isDisabled={running !== null}
            busyText="Working…"
            onClick={() => start(action)}
          >
            {action.label}
          </Button>
        ))}
      </div>
      {question && (
        <ConfirmDialog
          question={`${question.label}: ${text}?`}
          text={selection.isAll ? 'This is for every row that matches the filters, also on other pages.' : ''}
          yes={question.label}
          no="Cancel"
          onYes={() => void carryOut(question)}
          onClose={() => setQuestion(null)}
        />
      )}
    </section>
  );
}

function MoreRows({ table: { rows, total }, selection, format, focusRows }: Omit<BulkBarProps, 'onBulk'>) {
  if (selection.isAll) return null;
  if (!selection.isPage)
    return (
      <Button variant="text" onClick={selection.togglePage}>
        {`Select all ${format.count(rows.length)} on this page`}
      </Button>
    );
  if (total.count <= rows.length) return null;
  const selectAll = () => {
    selection.selectAll();
    focusRows();
  };
  return (
    <Button variant="text" onClick={selectAll}>
      {`Select all ${format.count(total.count)}${total.isMore ? '+' : ''} that match`}
    </Button>
  );
}
