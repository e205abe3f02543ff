import { useSyncExternalStore } from 'react';
import type { MergedLine } from '../api/cartCalls';
import { createStore } from '../browser/store';

/** What became of a line that was chosen before sign-in. */
export type MergeEntry = MergedLine & { name: string };

const NONE: MergeEntry[] = [];
const store = createStore<MergeEntry[]>(NONE);

export const useMergeReport = () => useSyncExternalStore(store.subscribe, store.get, () => NONE);
export const reportMerge = (entries: MergeEntry[]) => store.set(entries);
export const forgetMerge = () => store.set(NONE);
