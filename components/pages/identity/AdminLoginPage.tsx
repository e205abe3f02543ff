import { SignInView } from '../../identity/SignInView';

export function AdminLoginPage() {
  return <SignInView area="admin" />;
}
