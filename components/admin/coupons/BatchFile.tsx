import { useState } from 'react';
import { takeBatch } from '../../api/admin/coupons';
import { useRefresh } from '../../api/session/privatePage';
import { saveFile } from '../../browser/navigation';
import type { CouponBatchProps } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { useRefreshWhile } from '../useRefreshWhile';

type Props = Pick<CouponBatchProps, 'isRunning' | 'takeCall'> & { name: string };

/** The codes as a file, once; while they are being made the page is loaded again until they are. */
export function BatchFile({ name, isRunning, takeCall }: Props) {
  const refresh = useRefresh();
  const taking = useCall();
  // An answer that gets lost is given again for the same key.
  const [key] = useState(newUuid);
  useRefreshWhile(isRunning);
  if (!takeCall) return null;
  const save = async () => {
    const { codes } = await takeBatch(takeCall, key);
    saveFile(`${name}.csv`, 'text/csv;charset=utf-8', ['Code', ...codes, ''].join('\r\n'));
    await refresh().catch(() => undefined);
  };
  return (
    <div className="area-once">
      <CallError call={taking} />
      <Button isBusy={taking.isBusy} busyText="Fetching the codes…" onClick={() => void taking.run(save)}>
        Save the codes
      </Button>
      <p className="hint">Once: keep the file where others cannot read it.</p>
    </div>
  );
}
