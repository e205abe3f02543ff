import { SignInView } from '../../identity/SignInView';

export function OrganizationLoginPage() {
  return <SignInView area="organisation" />;
}
