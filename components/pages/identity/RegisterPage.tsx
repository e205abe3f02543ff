import { RegisterView } from '../../identity/RegisterView';

export function RegisterPage() {
  return <RegisterView />;
}
