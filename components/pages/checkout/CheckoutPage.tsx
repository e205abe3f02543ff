import { useSession } from '../../api/auth';
import { useRefresh } from '../../api/session/privatePage';
import { CheckoutView } from '../../checkout/CheckoutView';
import type { CheckoutProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';
import { LoadError } from '../../ui/loading/LoadError';

export function CheckoutPage({ checkout, refused = null }: Partial<CheckoutProps>) {
  const session = useSession();
  const refresh = useRefresh();
  return (
    <PrivateContent data={checkout === undefined ? undefined : { checkout }}>
      {(own) =>
        own.checkout ? (
          <CheckoutView first={own.checkout} refused={refused} email={session?.learner.email ?? ''} />
        ) : (
          <LoadError onRetry={() => void refresh().catch(() => undefined)} />
        )
      }
    </PrivateContent>
  );
}
