import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useAuth } from '../api/auth';
import type { FlowName } from '../api/identity';
import { loginAddress } from '../api/returnTo';
import { AREAS, startPage } from './areas';
import { FlowEnd } from './FlowEnd';
import { FlowStep } from './FlowStep';
import { forget } from './flowActions';
import { type FlowState, useFlow } from './flowStore';
import { IdentitySkeleton } from './IdentityCard';
import { pageOf } from './stepTexts';

/** The path on which the flow is to be seen; null: where it is. */
function placeOf({ transaction, ended }: FlowState, isSignedIn: boolean): string | null {
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
  /** The flows that begin here: another one that is open stays open, but is not followed. */
  flows?: readonly FlowName[];
  /** Drawn while there is no transaction to go on with. */
  children: ReactNode;
};

/** Follows the running transaction from page to page and draws where it stands. */
export function FlowView({ flows, children }: FlowViewProps) {
  const all = useFlow();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // A page stays until the next one's code is there: what it drew and somebody typed would go with it.
  const [own] = useState(pathname);
  const isOwn = isOneOf(all, flows, pathname);
  const flow = isOwn ? all : { ...all, transaction: null, ended: null };
  const place = placeOf(flow, useAuth().learner !== null);
  const isElsewhere = place !== null && place !== pathname && place !== pathname + search;
  const isComing = place === pathname && pathname !== own;
  const { transaction } = flow;
  const isCanceled = transaction?.status === 'CANCELED';

  useEffect(() => {
    if (!isElsewhere || place === null) return;
    if (isCanceled) forget();
    navigate(place, { replace: true });
  }, [isElsewhere, place, isCanceled, navigate]);

  if (isElsewhere || isComing || transaction?.status === 'SUCCESS')
    return <IdentitySkeleton title="One moment…" />;
  if (transaction?.status === 'TERMINAL') return <FlowEnd transaction={transaction} />;
  if (transaction?.status === 'PENDING') return <FlowStep transaction={transaction} flow={flow} />;
  return children;
}
