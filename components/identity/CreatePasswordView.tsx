import { type ReactNode, useState } from 'react';
import { useAuth } from '../api/auth';
import { flowUnderWay } from '../browser/typed';
import { useFlow } from './flowStore';
import { VerifyView } from './VerifyView';

type CreatePasswordViewProps = {
  /** For somebody who signed in without a password so far. */
  signedIn: ReactNode;
};

/** /create-password: the first password, within a running transaction or of a signed-in account. */
export function CreatePasswordView({ signedIn }: CreatePasswordViewProps) {
  const { learner } = useAuth();
  const { transaction } = useFlow();
  const [isRunning] = useState(() => flowUnderWay() !== '');
  if (learner && !transaction && !isRunning) return signedIn;
  return <VerifyView title="Choose a password" />;
}
