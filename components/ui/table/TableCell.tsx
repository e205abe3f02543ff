import type { SiteProps, TableRow } from '../../contracts/schema';
import { type CompactFormat, compactFormatOf } from '../../format/compactFormat';
import { type Format, formatOf } from '../../format/format';
import { Badge } from '../Badge';
import { Progress } from '../loading/Progress';
import { StaffTime } from '../StaffTime';

export type TableFormat = Pick<Format, 'money' | 'count' | 'percent'> & Pick<CompactFormat, 'day' | 'time'>;
type Cell = TableRow['cells'][number];
type CellProps = {
  cell: Cell;
  /** What the value is, for whoever does not see the heading. */
  label: string;
  format: TableFormat;
};

export function tableFormatOf(site: SiteProps): TableFormat {
  const { money, count, percent } = formatOf(site);
  const { day, time } = compactFormatOf(site);
  return { money, count, percent, day, time };
}

/** What a cell shows; a dash where the row has no value. */
export function CellContent({ cell, label, format }: CellProps) {
  switch (cell?.kind) {
    case undefined:
      return <span className="muted">–</span>;
    case 'link':
      return <a href={cell.href}>{cell.text}</a>;
    case 'money':
      return format.money(cell.minor);
    case 'count':
      return format.count(cell.value);
    case 'date':
      return <time dateTime={cell.day}>{format.day(cell.day)}</time>;
    case 'time':
      return <StaffTime at={cell.at} format={format.time} />;
    case 'badge':
      return <Badge text={cell.text} tone={cell.tone} />;
    case 'progress':
      return (
        <Progress
          label={label}
          value={cell.percent}
          text={format.percent(String(cell.percent))}
          isLabelHidden
        />
      );
    case 'image': {
      const { src, width, height, alt } = cell.picture;
      return (
        <img className="table__image" src={src} width={width} height={height} alt={alt} loading="lazy" />
      );
    }
    case 'strip':
      return (
        <svg className="strip" viewBox="0 0 110 14" role="img" aria-label={cell.text}>
          {cell.parts.map(({ what, path }) => (
            <path key={what} className={`strip__${what}`} d={path} />
          ))}
        </svg>
      );
    default:
      return cell?.text;
  }
}

const NUMBERS: readonly string[] = ['money', 'count'];

// More than a name: a sentence needs a wider column than the least of a text.
const LONG_TEXT = 30;
// A month or a short count in words stays on one line.
const SHORT_TEXT = 12;

/**
 * The classes of a cell; without `cell`, of the heading of its column. Numbers are aligned at their end, so that their
 * digits are below each other. What is empty takes no place where rows are cards.
 */
export function cellClass(kind: string, cell?: Cell): string {
  const classes = ['table__cell', NUMBERS.includes(kind) ? 'table__cell--number' : `table__cell--${kind}`];
  if (cell === null) classes.push('table__cell--empty');
  if (cell?.kind === 'text' && cell.text.length > LONG_TEXT) classes.push('table__cell--long');
  if (cell?.kind === 'text' && cell.text.length <= SHORT_TEXT) classes.push('table__cell--short');
  if (cell?.kind === 'text' && cell.shade !== undefined) classes.push(`table__cell--shade-${cell.shade}`);
  return classes.join(' ');
}
