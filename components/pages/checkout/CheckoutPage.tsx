import { useSession } from '../../api/auth';
import { useRefresh } from '../../api/session/privatePage';
import { CheckoutView } from '../../checkout/CheckoutView';
import { useMergedCart } from '../../checkout/useMergedCart';
import type { Checkout, CheckoutProps, CheckoutRefused } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';
import { LoadError } from '../../ui/loading/LoadError';
import { LoadingView } from '../../ui/loading/LoadingView';

export function CheckoutPage({ checkout, refused = null }: Partial<CheckoutProps>) {
  const refresh = useRefresh();
  return (
    <PrivateContent data={checkout === undefined ? undefined : { checkout }}>
      {(own) =>
        own.checkout ? (
          <MergedCheckout checkout={own.checkout} refused={refused} />
        ) : (
          <LoadError onRetry={() => void refresh().catch(() => undefined)} />
        )
      }
    </PrivateContent>
  );
}

/** The checkout of everything that was chosen, before the sign-in too. */
function MergedCheckout({ checkout, refused }: { checkout: Checkout; refused: CheckoutRefused | null }) {
  const session = useSession();
  if (!useMergedCart(checkout)) return <LoadingView title="Checkout" />;
  return <CheckoutView first={checkout} refused={refused} email={session?.learner.email ?? ''} />;
}
