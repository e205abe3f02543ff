import { refreshAuth } from '../../api/auth';
import { ApiProblem } from '../../api/client';
import {
  cancelFlow,
  type FlowStart,
  proceedFlow,
  resendCode,
  resumeFlow,
  type Step,
  startFlow,
  type Transaction,
  type Values,
} from '../../api/identity';
import { navigateTo } from '../../browser/navigation';
import { clearDrafts, saveDrafts, saveFlow } from '../../browser/storage/formDrafts';
import { saveName } from '../../browser/storage/identityCookies';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { type EndedFlow, endedText, flowStore, isCurrent, nextRequestId, updateFlow } from './flowStore';
import { draftValues, nameInput } from './inputs';

async function run(call: () => Promise<Transaction>, ended: Partial<EndedFlow> = {}): Promise<void> {
  const id = nextRequestId();
  updateFlow({ isBusy: true, failure: null, hasStopped: false, notice: '' });
  try {
    const transaction = await call();
    if (isCurrent(id)) applyTransaction(transaction);
  } catch (problem) {
    if (isCurrent(id)) await handleError(problem, ended);
  }
}

/**
 * Shows the host's transaction. On success the browser leaves the page; the next page reads the cookies and merges
 * cart and wishlist.
 */
export function applyTransaction(transaction: Transaction): void {
  const isOver = transaction.status === 'SUCCESS';
  updateFlow({ transaction, isBusy: isOver, failure: null, ended: null });
  saveFlow(transaction.status === 'PENDING' ? transaction.flow : null);
  if (!isOver) return;
  clearDrafts();
  refreshAuth();
  navigateTo(transaction.redirect ?? '/');
}

async function handleError(problem: unknown, ended: Partial<EndedFlow>): Promise<void> {
  const status = problem instanceof ApiProblem ? problem.status : null;
  if (status === 404 || status === 410) return endFlow(problem as ApiProblem, ended);
  const { transaction } = flowStore.get();
  // Another tab has advanced the transaction: show its current state.
  if (status === 409 && transaction) return run(resumeFlow);
  const text = apiErrorText(problem);
  const errors = problem instanceof ApiProblem ? problem.errors : {};
  updateFlow({ isBusy: false, failure: { text: Object.keys(errors).length > 0 ? '' : text, errors } });
}

export function endFlow(problem: ApiProblem, defaults: Partial<EndedFlow>): void {
  const { transaction } = flowStore.get();
  saveFlow(null);
  updateFlow({
    transaction: null,
    isBusy: false,
    ended: {
      why: problem.status === 410 ? 'expired' : 'lost',
      text: problem.detail,
      flow: transaction?.flow ?? null,
      area: transaction?.area ?? 'learner',
      returnTo: transaction?.returnTo ?? '/',
      ...defaults,
    },
  });
}

/** Begins a flow. With a name it also submits the steps that need nothing else. */
export async function begin(flowStart: FlowStart): Promise<void> {
  const { flow, area, returnTo, username, token } = flowStart;
  if (username) saveName(username);
  const { ended: previous } = flowStore.get();
  const defaults = token ? { why: 'link' as const, flow, area, returnTo } : { flow, area, returnTo };
  await run(async () => {
    let transaction = await startFlow(flowStart);
    // The number of empty forms before the first real one differs between providers.
    for (let step = nextStep(transaction, username); step; step = nextStep(transaction, username)) {
      const previous = transaction.steps[0]?.name;
      transaction = await proceedFlow(step.name, step.values);
      if (transaction.steps[0]?.name === previous) break;
    }
    return transaction;
  }, defaults);
  if (previous) updateFlow({ notice: endedText(previous) });
}

type StepValues = { name: string; values: Values };

/**
 * The step that can be submitted without a person: the form that starts the flow, or the one that needs the name
 * alone; else null.
 */
function nextStep({ status, flow, steps, messages }: Transaction, username?: string): StepValues | null {
  const [first] = steps;
  if (status !== 'PENDING' || !first || messages.some(({ kind }) => kind === 'error')) return null;
  const stepNames = {
    register: 'select-enroll-profile',
    recoverPassword: 'recover',
    unlockAccount: 'unlock-account',
  };
  const target = flow === 'authenticate' ? undefined : steps.find(({ name }) => name === stepNames[flow]);
  const isBefore = /^(?:identify|select-enroll-profile|unlock-account|recover)$/.test(first.name);
  if (target && isBefore && isEmpty(target)) return { name: target.name, values: hiddenValues(target) };
  if (first.name !== 'identify-recovery' || !username) return null;
  const input = nameInput(first.inputs);
  const others = first.inputs.filter(({ type, name }) => type !== 'hidden' && name !== input?.name);
  if (!input || others.length > 0) return null;
  return { name: first.name, values: { ...hiddenValues(first), [input.name]: username } };
}

const isEmpty = (step: Step) => step.inputs.every(({ type }) => type === 'hidden');

export function hiddenValues(step: Step): Values {
  const hidden = step.inputs.filter(({ type, value }) => type === 'hidden' && value !== null);
  return Object.fromEntries(hidden.map(({ name, value }) => [name, value ?? '']));
}

export const resume = () => run(resumeFlow);
export const resend = () => run(resendCode);

/** Submits a step. Its drafts are saved first. */
export async function proceed(step: Step, values: Values): Promise<void> {
  saveDrafts(draftValues(step, values));
  const name = values[nameInput(step.inputs)?.name ?? ''] ?? values.email;
  if (typeof name === 'string' && !step.authenticator) saveName(name);
  await run(() => proceedFlow(step.name, values));
}

/** Cancels the transaction, also when the host cannot be reached: it expires there after half an hour. */
export async function cancel(): Promise<void> {
  const { transaction } = flowStore.get();
  await run(cancelFlow);
  const after = flowStore.get().transaction;
  if (!transaction || after?.status === 'CANCELED') return;
  applyTransaction({ ...transaction, status: 'CANCELED', steps: [], messages: [] });
}
