import { useState } from 'react';
import type { BulkAction, TableProps } from '../../contracts/schema';
import { ConfirmDialog } from '../ConfirmDialog';
import type { TableFormat } from './TableCell';
import { totalText } from './TableNotes';
import type { Selected, Selection } from './useSelection';

type BulkBarProps = {
  table: TableProps;
  selection: Selection;
  format: TableFormat;
  onBulk: (action: string, selected: Selected) => Promise<void>;
  /** The bar goes away with the selection, and the focus needs another place. */
  onClear: () => void;
};

/** What can be done with the selected rows, and how to select more. */
export function BulkBar({ table, selection, format, onBulk, onClear }: BulkBarProps) {
  const [question, setQuestion] = useState<BulkAction | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const text = totalText({ count: selection.count, isMore: selection.isAll && table.total.isMore }, format);
  const clear = () => {
    selection.clear();
    onClear();
  };
  const carryOut = async ({ id }: BulkAction) => {
    setIsBusy(true);
    try {
      await onBulk(id, selection.selected());
      clear();
    } catch {
      // The page has said why. The rows stay selected for another try.
    } finally {
      setIsBusy(false);
    }
  };
  const start = (action: BulkAction) => {
    if (isBusy) return;
    if (action.isDangerous) setQuestion(action);
    else void carryOut(action);
  };
  return (
    <section className="table__bulk row" aria-label="Selected rows">
      <p role="status">
        <strong>{text}</strong> selected
      </p>
      <MoreRows table={table} selection={selection} format={format} />
      <button type="button" className="text-button" onClick={clear}>
        Clear selection
      </button>
      <div className="table__actions row">
        {table.bulkActions.map((action) => (
          <button
            key={action.id}
            type="button"
            className={action.isDangerous ? 'button button--danger' : 'button'}
            aria-disabled={isBusy}
            onClick={() => start(action)}
          >
            {action.label}
          </button>
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

function MoreRows({
  table: { rows, total },
  selection,
  format,
}: Pick<BulkBarProps, 'table' | 'selection' | 'format'>) {
  if (selection.isAll) return null;
  if (!selection.isPage)
    return (
      <button type="button" className="text-button" onClick={selection.togglePage}>
        {`Select all ${format.count(rows.length)} on this page`}
      </button>
    );
  if (total.count <= rows.length) return null;
  return (
    <button type="button" className="text-button" onClick={selection.selectAll}>
      {`Select all ${format.count(total.count)}${total.isMore ? '+' : ''} that match`}
    </button>
  );
}
