import type { LoginProps } from '../../contracts/schema';
import { RegisterView } from '../../identity/RegisterView';
import { useWaiting } from './useWaiting';

export function RegisterPage({ waiting = '' }: Partial<LoginProps>) {
  return <RegisterView waiting={useWaiting(waiting)} />;
}
