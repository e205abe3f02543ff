import type { LoginProps } from '../../contracts/schema';
import { SignInView } from '../../identity/SignInView';
import { useWaiting } from './useWaiting';

export function LoginPage({ waiting = '' }: Partial<LoginProps>) {
  return <SignInView area="learner" waiting={useWaiting(waiting)} />;
}
