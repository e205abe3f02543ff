import { ForgotView } from '../../identity/ForgotView';

export function OrganizationForgotPage() {
  return <ForgotView area="organisation" />;
}
