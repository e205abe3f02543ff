import { refreshAuth } from '../api/auth';
import { ApiProblem } from '../api/client';
import {
  type Beginning,
  cancelFlow,
  proceedFlow,
  resendCode,
  resumeFlow,
  type Step,
  startFlow,
  type Transaction,
  type Values,
} from '../api/identity';
import { keepName } from '../browser/identityCookies';
import { leaveTo } from '../browser/leaving';
import { forgetTyped, keepFlow, keepTyped } from '../browser/typed';
import { problemText } from '../ui/problemText';
import { changeFlow, type Ended, endedText, flowStore } from './flowStore';
import { nameInput, worthKeeping } from './inputs';

let turn = 0;

/** One call at a time has the say: an answer that comes after a newer call began is dropped. */
export const nextTurn = () => ++turn;
export const isTurn = (mine: number) => mine === turn;

async function run(call: () => Promise<Transaction>, ended: Partial<Ended> = {}): Promise<void> {
  const mine = nextTurn();
  changeFlow({ isBusy: true, failure: null, hasStopped: false, notice: '' });
  try {
    const transaction = await call();
    if (isTurn(mine)) take(transaction);
  } catch (problem) {
    if (isTurn(mine)) await refuse(problem, ended);
  }
}

/** Shows what the host says. Success leaves the page: the next one reads the cookies and joins cart and wishlist. */
export function take(transaction: Transaction): void {
  const isOver = transaction.status === 'SUCCESS';
  changeFlow({ transaction, isBusy: isOver, failure: null, ended: null });
  keepFlow(transaction.status === 'PENDING' ? transaction.flow : null);
  if (!isOver) return;
  forgetTyped();
  refreshAuth();
  leaveTo(transaction.redirect ?? '/');
}

async function refuse(problem: unknown, ended: Partial<Ended>): Promise<void> {
  const status = problem instanceof ApiProblem ? problem.status : null;
  if (status === 404 || status === 410) return end(problem as ApiProblem, ended);
  const { transaction } = flowStore.get();
  // Another tab went on: what stands there now is shown.
  if (status === 409 && transaction) return run(resumeFlow);
  const text = problemText(problem);
  const errors = problem instanceof ApiProblem ? problem.errors : {};
  changeFlow({ isBusy: false, failure: { text: Object.keys(errors).length > 0 ? '' : text, errors } });
}

export function end(problem: ApiProblem, known: Partial<Ended>): void {
  const { transaction } = flowStore.get();
  keepFlow(null);
  changeFlow({
    transaction: null,
    isBusy: false,
    ended: {
      why: problem.status === 410 ? 'expired' : 'lost',
      text: problem.detail,
      flow: transaction?.flow ?? null,
      area: transaction?.area ?? 'learner',
      returnTo: transaction?.returnTo ?? '/',
      ...known,
    },
  });
}

/** Begins a flow. With a name it goes as far as the name alone leads. */
export async function begin(beginning: Beginning): Promise<void> {
  const { flow, area, returnTo, username, token } = beginning;
  if (username) keepName(username);
  const { ended: before } = flowStore.get();
  const known = token ? { why: 'link' as const, flow, area, returnTo } : { flow, area, returnTo };
  await run(async () => {
    let transaction = await startFlow(beginning);
    // Providers differ in how many empty forms stand before the first real one.
    for (let step = nextStep(transaction, username); step; step = nextStep(transaction, username)) {
      const before = transaction.steps[0]?.name;
      transaction = await proceedFlow(step.name, step.values);
      if (transaction.steps[0]?.name === before) break;
    }
    return transaction;
  }, known);
  if (before) changeFlow({ notice: endedText(before) });
}

type Known = { name: string; values: Values };

/** The way out of the first form that the flow means, or the form that the name alone fills; null when a person is needed. */
function nextStep({ status, flow, steps, messages }: Transaction, username?: string): Known | null {
  const [first] = steps;
  if (status !== 'PENDING' || !first || messages.some(({ kind }) => kind === 'error')) return null;
  const wanted = {
    register: 'select-enroll-profile',
    recoverPassword: 'recover',
    unlockAccount: 'unlock-account',
  };
  const meant = flow === 'authenticate' ? undefined : steps.find(({ name }) => name === wanted[flow]);
  const isBefore = /^(?:identify|select-enroll-profile|unlock-account|recover)$/.test(first.name);
  if (meant && isBefore && isEmpty(meant)) return { name: meant.name, values: hiddenValues(meant) };
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

/** Sends a filled-in step. What may be kept to fill it again is kept before it is sent. */
export async function proceed(step: Step, values: Values): Promise<void> {
  keepTyped(worthKeeping(step, values));
  const name = values[nameInput(step.inputs)?.name ?? ''] ?? values.email;
  if (typeof name === 'string' && !step.authenticator) keepName(name);
  await run(() => proceedFlow(step.name, values));
}

/** Gives the transaction up. Also where the host cannot be asked: half an hour later it forgets by itself. */
export async function cancel(): Promise<void> {
  const { transaction } = flowStore.get();
  await run(cancelFlow);
  const after = flowStore.get().transaction;
  if (!transaction || after?.status === 'CANCELED') return;
  take({ ...transaction, status: 'CANCELED', steps: [], messages: [] });
}

export function forget(): void {
  nextTurn();
  keepFlow(null);
  changeFlow({ transaction: null, isBusy: false, failure: null, ended: null, hasStopped: false, notice: '' });
}
