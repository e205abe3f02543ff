import { VerifyView } from '../../identity/VerifyView';

export function VerifyPage() {
  return <VerifyView title="Verify that it is you" />;
}
