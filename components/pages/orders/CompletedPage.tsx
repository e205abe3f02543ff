import { useCallback, useEffect } from 'react';
import { SessionEnd } from '../../account/SessionEnd';
import { SignInToSeeOrder } from '../../account/SignInFirst';
import { usePageSession, useRefresh } from '../../api/session/privatePage';
import { removeBought } from '../../cart/account/removeBought';
import type { CompletedProps } from '../../contracts/schema';
import { CompletedView } from '../../orders/completed/CompletedView';

export function CompletedPage({ completed }: Partial<CompletedProps>) {
  const session = usePageSession();
  const refresh = useRefresh();
  const order = (session && completed?.order) ?? null;
  const code = completed?.status?.state === 'paid' ? completed.status.code : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each order that is paid, with its lines
  useEffect(() => {
    if (code !== null) void removeBought(order?.lines.map(({ productId }) => productId) ?? null);
  }, [code, order !== null]);

  const onChange = useCallback(() => void refresh().catch(() => undefined), [refresh]);
  if (!completed?.status) return <SignInToSeeOrder />;
  return (
    <>
      {session && <SessionEnd key={session.expiresAt} session={session} />}
      <CompletedView
        first={completed.status}
        order={order}
        next={completed.next}
        isBack={completed.isBack}
        onChange={onChange}
      />
    </>
  );
}
