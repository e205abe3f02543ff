import { SignInView } from '../../identity/SignInView';

export function LoginPage() {
  return <SignInView area="learner" />;
}
