import { useEffect } from 'react';
import type { Transaction } from '../api/identity';
import { loginAddress } from '../model/returnTo';
import { IdentityCard } from './card/IdentityCard';
import { AREAS, startPage } from './flow/areas';
import { clearFlow } from './flow/flowActions';
import { messagesFor, StepMessages } from './steps/StepMessages';

const DONE_TITLES: Record<Transaction['flow'], string> = {
  authenticate: 'All done',
  register: 'Almost there',
  recoverPassword: 'Your password is changed',
  unlockAccount: 'Your account is unlocked',
};

/** The end of a flow: its messages and the links from here. */
export function FlowEnd({ transaction }: { transaction: Transaction }) {
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
