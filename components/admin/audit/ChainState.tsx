import { verifyAudit } from '../../api/admin/audit';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { AuditPageProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';

type Chain = AuditPageProps['chain'];

/** Whether every recorded event is as it was recorded, as of the last check, and a button to check again. */
export function ChainState({ chain }: { chain: Chain }) {
  const call = useCall();
  const refresh = useRefresh();
  return (
    <div className="chain-state">
      <CallError call={call} />
      <div role="status">
        <ChainNotice chain={chain} />
      </div>
      <Button
        variant="quiet"
        isBusy={call.isBusy}
        busyText="Checking…"
        onClick={() => void call.run(() => verifyAudit().then(refresh))}
      >
        Check all events
      </Button>
    </div>
  );
}

function ChainNotice({ chain: { last, checked, checkedAt, wrong } }: { chain: Chain }) {
  const format = formatOf(useSite());
  if (wrong !== null)
    return (
      <Notice kind="warning" title={`Event ${format.count(wrong)} is not as it was recorded`}>
        <p>Somebody has changed, removed or inserted it. Compare with a backup.</p>
      </Notice>
    );
  if (checked === null || checkedAt === null)
    return <p className="muted">Nobody has checked the chain yet.</p>;
  const newer = last - checked;
  return (
    <p className="muted">
      {`Events 1 to ${format.count(checked)} are as they were recorded, checked on ${format.date(checkedAt)}. `}
      {newer > 0 && `${format.count(newer)} newer.`}
    </p>
  );
}
