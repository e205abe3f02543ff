import { useSyncExternalStore } from 'react';
import type { Area, FlowName, Transaction } from '../api/identity';
import { createStore } from '../browser/store';
import type { FieldErrors } from './inputs';

/** Why the last call came to nothing; the transaction stands as it was. */
export type Failure = { text: string; errors: FieldErrors };

/** A transaction that is no more. `flow` is what it was about, as far as this tab knows. */
export type Ended = {
  why: 'lost' | 'expired' | 'link';
  text: string;
  flow: FlowName | null;
  area: Area;
  returnTo: string;
};

export type FlowState = {
  transaction: Transaction | null;
  isBusy: boolean;
  failure: Failure | null;
  ended: Ended | null;
  /** Why the flow had to begin anew. */
  notice: string;
  /** Asking for news stopped after too many failures. */
  hasStopped: boolean;
};

export const NO_FLOW: FlowState = {
  transaction: null,
  isBusy: false,
  failure: null,
  ended: null,
  notice: '',
  hasStopped: false,
};

export const flowStore = createStore<FlowState>(NO_FLOW);

/** The transaction that this tab goes on with; the host alone knows where it stands. */
export function useFlow(): FlowState {
  return useSyncExternalStore(flowStore.subscribe, flowStore.get, () => NO_FLOW);
}

export function changeFlow(change: Partial<FlowState>): void {
  flowStore.set({ ...flowStore.get(), ...change });
}

const ENDINGS: Record<Ended['why'], string> = {
  expired: 'More than 30 minutes have passed, so this was closed for your safety.',
  lost: 'What you had begun is not open any more: it was finished elsewhere, or took too long.',
  link: '',
};

/** Why it is over, and that nothing has to be typed twice but passwords. */
export function endedText({ why, text }: Ended): string {
  return why === 'link'
    ? text
    : `${ENDINGS[why]} Please start again; what you typed is still here. (${text})`;
}

export const endedTitle = ({ why }: Ended) =>
  why === 'link' ? 'This link does not work any more' : 'Back at the start';
