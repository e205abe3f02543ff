import { ForgotView } from '../../identity/ForgotView';

export function ForgotPage() {
  return <ForgotView area="learner" />;
}
