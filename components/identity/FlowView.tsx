import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAuth } from '../api/auth';
import type { FlowName, Transaction } from '../api/identity';
import { useNavigate } from '../browser/useNavigate';
import { loginAddress } from '../model/returnTo';
import { IdentityCard, IdentitySkeleton } from './card/IdentityCard';
import { AREAS, startPage } from './flow/areas';
import { clearFlow, type FlowState, useFlow } from './flow/flowStore';
import { pageOf } from './flow/stepTexts';
import { FlowStep } from './steps/FlowStep';
import { messagesFor, StepMessages } from './steps/StepMessages';

/** The path of the page that shows the flow; null: the current page. */
function addressOf({ transaction, ended }: FlowState, isSignedIn: boolean): string | null {
  if (ended) {
    if (ended.why === 'link' || ended.flow === null) return null;
    const page = startPage(ended.flow, ended.area);
    return ended.flow === 'authenticate' ? loginAddress(ended.returnTo, page) : page;
  }
  if (transaction?.status === 'CANCELED')
    return isSignedIn
      ? transaction.returnTo
      : loginAddress(transaction.returnTo, AREAS[transaction.area].signIn);
  return transaction && pageOf(transaction);
}

function isOneOf({ transaction, ended }: FlowState, flows: readonly FlowName[] | undefined, path: string) {
  if (!flows || (transaction && pageOf(transaction) === path)) return true;
  const name = transaction?.flow ?? ended?.flow;
  return !name || flows.includes(name);
}

type FlowViewProps = {
  /** The flows that start here: another open flow stays open but is not shown. */
  flows?: readonly FlowName[];
  /** What waits behind the flow, in words. */
  waiting?: string;
  /** Shown while no transaction is open. */
  children: ReactNode;
};

/** Shows the current step of the transaction, on the page that belongs to it. */
export function FlowView({ flows, waiting, children }: FlowViewProps) {
  const current = useFlow();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // The old page stays until the next page's code is loaded; rendering the step there would lose typed text.
  const [ownPath] = useState(pathname);
  const isOwn = isOneOf(current, flows, pathname);
  const flow = isOwn ? current : { ...current, transaction: null, ended: null };
  const address = addressOf(flow, useAuth().learner !== null);
  const isElsewhere = address !== null && address !== pathname && address !== pathname + search;
  const isComing = address === pathname && pathname !== ownPath;
  const { transaction } = flow;
  const isCanceled = transaction?.status === 'CANCELED';

  useEffect(() => {
    if (!isElsewhere || address === null) return;
    if (isCanceled) clearFlow();
    navigate(address, { replace: true });
  }, [isElsewhere, address, isCanceled, navigate]);

  if (isElsewhere || isComing || transaction?.status === 'SUCCESS')
    return <IdentitySkeleton title="Please wait…" />;
  if (transaction?.status === 'TERMINAL') return <FlowEnd transaction={transaction} />;
  if (transaction?.status === 'PENDING')
    return <FlowStep transaction={transaction} flow={flow} waiting={waiting} />;
  return children;
}

const DONE_TITLES: Record<Transaction['flow'], string> = {
  authenticate: 'All done',
  register: 'Almost there',
  recoverPassword: 'Your password is changed',
  unlockAccount: 'Your account is unlocked',
};

/** The end of a flow: its messages and the links from here. */
function FlowEnd({ transaction }: { transaction: Transaction }) {
  const { flow, area, returnTo, messages } = transaction;
  const hasFailed = messages.some(({ kind }) => kind === 'error');
  const start = startPage(flow, area);
  const signIn = loginAddress(returnTo, AREAS[area].signIn);
  // Leaving the page ends the flow.
  useEffect(() => clearFlow, []);
  return (
    <IdentityCard title={hasFailed ? 'This did not work' : DONE_TITLES[flow]} step="end">
      <StepMessages messages={messagesFor(messages, undefined)} />
      <div className="identity__buttons">
        {hasFailed && start !== AREAS[area].signIn && (
          <a className="button button--wide" href={start} onClick={clearFlow}>
            Start again
          </a>
        )}
        <a className={hasFailed ? 'button button--quiet button--wide' : 'button button--wide'} href={signIn}>
          Sign in
        </a>
      </div>
    </IdentityCard>
  );
}
