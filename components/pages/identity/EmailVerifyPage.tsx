import { TokenView } from '../identity/TokenView';

export function EmailVerifyPage() {
  return <TokenView purpose="email" />;
}
