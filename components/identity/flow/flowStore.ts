import { useSyncExternalStore } from 'react';
import type { Area, FlowName, Transaction } from '../../api/identity';
import { saveFlow } from '../../browser/storage/formDrafts';
import { createStore } from '../../browser/store';
import { type FieldErrors, NO_ERROR } from '../../forms/call/callOutcome';
import type { Call } from '../../forms/call/useCall';

/** The error of the last call; the transaction is unchanged. */
export type Failure = { text: string; errors: FieldErrors };

/** A transaction that has ended. `flow` is its flow, if this tab knows it. */
export type EndedFlow = {
  why: 'lost' | 'expired' | 'link';
  text: string;
  flow: FlowName | null;
  area: Area;
  returnTo: string;
};

/** The call of a transaction's form: its state is in the store, and nothing it does rejects. */
export function flowCall(isBusy: boolean, failure: Failure | null, errors: FieldErrors = {}): Call {
  return {
    ...NO_ERROR,
    text: failure?.text ?? '',
    errors: { ...errors, ...failure?.errors },
    isBusy,
    attempts: 0,
    run: async (work) => {
      await work();
      return flowStore.get().failure === null;
    },
    reset: () => undefined,
  };
}

export type FlowState = {
  transaction: Transaction | null;
  isBusy: boolean;
  failure: Failure | null;
  ended: EndedFlow | null;
  /** Why the flow had to start again. */
  notice: string;
  /** Polling stopped after too many failures. */
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

/** The transaction of this tab; the host decides its state. */
export function useFlow(): FlowState {
  return useSyncExternalStore(flowStore.subscribe, flowStore.get, () => NO_FLOW);
}

export function updateFlow(change: Partial<FlowState>): void {
  flowStore.set({ ...flowStore.get(), ...change });
}

let requestId = 0;

/** Only the response to the newest call counts; older ones are dropped. */
export const nextRequestId = () => ++requestId;
export const isCurrent = (id: number) => id === requestId;

export function clearFlow(): void {
  nextRequestId();
  saveFlow(null);
  updateFlow({ transaction: null, isBusy: false, failure: null, ended: null, hasStopped: false, notice: '' });
}

const END_TEXTS: Record<EndedFlow['why'], string> = {
  expired: 'More than 30 minutes have passed, so this was closed for your safety.',
  lost: 'What you had begun is not open any more: it was finished elsewhere, or took too long.',
  link: '',
};

/** Why the flow ended. Typed values other than passwords are still there. */
export function endedText({ why, text }: EndedFlow): string {
  return why === 'link'
    ? text
    : `${END_TEXTS[why]} Please start again; what you typed is still here. (${text})`;
}

export const endedTitle = ({ why }: EndedFlow) =>
  why === 'link' ? 'This link does not work any more' : 'Back at the start';
