import { useId, useRef, useState } from 'react';
import tableStyles from '../../../static/css/table.css?text';
import type { BulkAction, SiteProps, TableProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { ConfirmDialog } from '../ConfirmDialog';
import { Button } from '../controls/Button';
import { EmptyState } from '../EmptyState';
import { Icon } from '../Icon';
import { Pagination } from '../Pagination';
import { useStyles } from '../useStyles';
import { type TableFormat, tableFormatOf } from './TableCell';
import { ControlsButton, hasControls, TableControls } from './TableControls';
import { ActiveFilters, IgnoredValues, OlderRows, totalText } from './TableNotes';
import { TableRows } from './TableRows';
import { type Selected, type Selection, useSelection } from './useSelection';

type DataTableProps = {
  /** From the page's loader (host/loaders/ui/table_props.py). Its state is in the URL. */
  table: TableProps;
  site: SiteProps;
  /** Carries out a bulk action. The selection is cleared afterwards and kept when it rejects. */
  onBulk?: (action: string, selected: Selected) => Promise<void>;
  /** The rows of another state are on their way. */
  isLoading?: boolean;
};

/** A list for staff: sort, filters, columns and pages are links and one form, so that it works without scripts. */
export function DataTable({ table, site, onBulk, isLoading = false }: DataTableProps) {
  useStyles(tableStyles);
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const selection = useSelection(table);
  const format = tableFormatOf(site);
  const { rows, activeFilters, csvHref, csvAllHref, csvNeedsSignIn, pagination, older, total } = table;
  const isSelectable = onBulk !== undefined && table.bulkActions.length > 0;
  const isEmpty = rows.length === 0;
  if (isEmpty && activeFilters.length === 0)
    return (
      <section className="table" aria-label={table.caption}>
        <IgnoredValues ignored={table.ignored} />
        <NoRows table={table} />
      </section>
    );
  return (
    <section className="table" aria-label={table.caption}>
      <IgnoredValues ignored={table.ignored} />
      {hasControls(table) && <TableControls table={table} id={id} />}
      <ActiveFilters activeFilters={activeFilters} clearHref={table.clearHref} />
      <div className="table__bar row">
        <p className="table__total" role="status">
          {isLoading ? 'Loading…' : totalText(total, format)}
        </p>
        {hasControls(table) && <ControlsButton id={id} active={activeFilters.length} />}
        {csvHref && !isEmpty && (
          <a className="table__csv" href={csvHref} download={csvNeedsSignIn ? undefined : ''}>
            <Icon name="ledger" />
            {csvNeedsSignIn ? 'Sign in again to download CSV' : 'Download CSV'}
          </a>
        )}
        {csvAllHref && !isEmpty && (
          <a className="table__csv" href={csvAllHref} download="">
            CSV with all columns
          </a>
        )}
      </div>
      {isSelectable && !selection.isEmpty && (
        <BulkBar
          table={table}
          selection={selection}
          format={format}
          onBulk={onBulk}
          focusRows={() => box.current?.focus()}
        />
      )}
      {isEmpty ? (
        <NoRows table={table} />
      ) : (
        <TableRows
          box={box}
          table={table}
          format={format}
          isLoading={isLoading}
          {...(isSelectable && { selection })}
        />
      )}
      {pagination && !isEmpty && <Pagination pagination={pagination} format={formatOf(site)} />}
      {older && <OlderRows older={older} />}
    </section>
  );
}

/** Before any row exists, what will be here; with filters, how to get rid of them. */
function NoRows({ table: { activeFilters, clearHref, emptyState } }: { table: TableProps }) {
  if (activeFilters.length === 0) {
    const { title, text, action } = emptyState;
    return <EmptyState title={title} text={text} links={action ? [action] : []} isSmall />;
  }
  return (
    <EmptyState
      title="No row matches these filters"
      text="Remove one of them, or begin again with the whole list."
      links={[{ href: clearHref, text: 'Clear filters' }]}
      isSmall
    />
  );
}

type BulkBarProps = {
  table: TableProps;
  selection: Selection;
  format: TableFormat;
  onBulk: (action: string, selected: Selected) => Promise<void>;
  /** For buttons that go away when they are pressed: the focus needs another place. */
  focusRows: () => void;
};

/** What can be done with the selected rows, and how to select more. */
function BulkBar({ table, selection, format, onBulk, focusRows }: BulkBarProps) {
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
