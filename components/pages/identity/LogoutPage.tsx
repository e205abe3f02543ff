import { LogoutView } from '../../identity/LogoutView';

export function LogoutPage() {
  return <LogoutView />;
}
