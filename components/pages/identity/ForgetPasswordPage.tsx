import { TokenView } from '../identity/TokenView';

export function ForgetPasswordPage() {
  return <TokenView purpose="password" />;
}
