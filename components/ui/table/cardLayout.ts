import type { TableRow } from '../../contracts/schema';

type Cell = TableRow['cells'][number];
type Column = { key: string; kind: string };

export type CardLayout = {
  /** Key of the column at the end of the first line. */
  main: string | null;
  /** Keys of columns whose values are understood without their label. An amount among numbers is a figure as they are. */
  clear: ReadonlySet<string>;
};

// Rows are compared by an amount, else by the first of these that the list has.
const FIGURES = ['count', 'progress', 'badge'];
const SELF_EVIDENT = ['badge', 'progress', 'image'];

/**
 * How a row is a card of two lines where the list is narrow: its name and one figure, then the other values. One day, one
 * name and a state explain themselves; further ones have their labels.
 */
export function cardLayout(columns: readonly Column[]): CardLayout {
  const [, ...others] = columns;
  const first = (...kinds: string[]) => others.find(({ kind }) => kinds.includes(kind))?.key;
  const total = others.find(({ key, kind }) => key === 'total' && kind === 'money')?.key ?? first('money');
  const main = total ?? FIGURES.map((kind) => first(kind)).find(Boolean) ?? null;
  const clear = others.filter(({ kind }) => SELF_EVIDENT.includes(kind)).map(({ key }) => key);
  const isAlone = !first('count') && others.filter(({ kind }) => kind === 'money').length === 1;
  const once = [
    first('date', 'time'),
    first('text', 'link'),
    isAlone || total === 'total' ? total : undefined,
  ];
  return { main, clear: new Set([...clear, ...once.filter((key) => key !== undefined)]) };
}

// "40", "4 or more" or "No" says nothing alone.
const UNCLEAR = /^(yes|no|\d.*|[^\p{Letter}]*)$/iu;

export function needsLabel(cell: Cell, key: string, { clear }: CardLayout): boolean {
  if (!clear.has(key)) return true;
  return cell?.kind === 'text' && UNCLEAR.test(cell.text);
}
