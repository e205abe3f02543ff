import { useEffect } from 'react';
import type { Transaction } from '../api/identity';
import { loginAddress } from '../api/returnTo';
import { AREAS, startPage } from './areas';
import { forget } from './flowActions';
import { IdentityCard } from './IdentityCard';
import { placed, StepMessages } from './StepMessages';

const DONE: Record<Transaction['flow'], string> = {
  authenticate: 'All done',
  register: 'Almost there',
  recoverPassword: 'Your password is changed',
  unlockAccount: 'Your account is unlocked',
};

/** Nothing is left to submit: what came of it, and where to go from here. */
export function FlowEnd({ transaction }: { transaction: Transaction }) {
  const { flow, area, returnTo, messages } = transaction;
  const hasFailed = messages.some(({ kind }) => kind === 'error');
  const start = startPage(flow, area);
  const signIn = loginAddress(returnTo, AREAS[area].signIn);
  // Whoever leaves this page has read it.
  useEffect(() => forget, []);
  return (
    <IdentityCard title={hasFailed ? 'This did not work' : DONE[flow]} step="end">
      <StepMessages messages={placed(messages, undefined)} />
      <div className="identity__buttons">
        {hasFailed && start !== AREAS[area].signIn && (
          <a className="button button--wide" href={start} onClick={forget}>
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
