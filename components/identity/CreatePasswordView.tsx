import { type ReactNode, useState } from 'react';
import { useAuth } from '../api/auth';
import { storedFlow } from '../browser/storage/formDrafts';
import { useFlow } from './flow/flowStore';
import { VerifyView } from './VerifyView';

type CreatePasswordViewProps = {
  /** For a learner who signed in without a password. */
  signedInView: ReactNode;
};

/** /create-password: the first password, within a running transaction or of a signed-in account. */
export function CreatePasswordView({ signedInView }: CreatePasswordViewProps) {
  const { learner } = useAuth();
  const { transaction } = useFlow();
  const [isRunning] = useState(() => storedFlow() !== '');
  if (learner && !transaction && !isRunning) return signedInView;
  return <VerifyView title="Choose a password" />;
}
