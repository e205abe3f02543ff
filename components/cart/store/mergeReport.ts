import { useSyncExternalStore } from 'react';
import type { MergedLine } from '../../api/cart';
import { createStore } from '../../browser/store';

/** The merge's outcome for a line that was added before sign-in. */
export type MergeEntry = MergedLine & { name: string };

const EMPTY: MergeEntry[] = [];
const store = createStore<MergeEntry[]>(EMPTY);

export const useMergeReport = () => useSyncExternalStore(store.subscribe, store.get, () => EMPTY);
export const reportMerge = (entries: MergeEntry[]) => store.set(entries);
export const clearMergeReport = () => store.set(EMPTY);
