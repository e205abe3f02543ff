import { VerifyView } from '../../identity/VerifyView';

export function ResetPasswordPage() {
  return <VerifyView title="Choose a new password" />;
}
