import { useState } from 'react';
import type { TableProps } from '../../contracts/schema';

/** Rows of this page by their ids, or everything that the filters let through. */
export type Selected = { ids: string[] } | { filters: Record<string, string> };

export type Selection = {
  has: (id: string) => boolean;
  isEmpty: boolean;
  isPage: boolean;
  isAll: boolean;
  /** Number of rows; of everything it is the list's total. */
  count: number;
  toggle: (id: string) => void;
  togglePage: () => void;
  selectAll: () => void;
  clear: () => void;
  selected: () => Selected;
};

type State = { rows: TableProps['rows']; ids: ReadonlySet<string>; isAll: boolean };

/** The selection of one page of a list; other rows begin a new one. */
export function useSelection({ rows, filters, total }: TableProps): Selection {
  const [state, setState] = useState<State>({ rows, ids: new Set(), isAll: false });
  const { ids, isAll } = state.rows === rows ? state : { ids: new Set<string>(), isAll: false };
  const select = (chosen: Iterable<string>) => setState({ rows, ids: new Set(chosen), isAll: false });
  const isPage = rows.length > 0 && ids.size === rows.length;
  return {
    has: (id) => ids.has(id),
    isEmpty: ids.size === 0,
    isPage,
    isAll,
    count: isAll ? total.count : ids.size,
    toggle: (id) => select(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
    togglePage: () => select(isPage ? [] : rows.map(({ id }) => id)),
    selectAll: () => setState({ rows, ids: new Set(rows.map(({ id }) => id)), isAll: true }),
    clear: () => select([]),
    selected: () => (isAll ? { filters: valuesOf(filters) } : { ids: [...ids] }),
  };
}

function valuesOf(filters: TableProps['filters']): Record<string, string> {
  return Object.fromEntries(filters.filter(({ value }) => value).map(({ name, value }) => [name, value]));
}
