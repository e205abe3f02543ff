import { useEffect, useRef } from 'react';
import type { Beginning } from '../api/identity';
import { flowUnderWay } from '../browser/typed';
import { begin, resume } from './flowActions';
import { flowStore } from './flowStore';

/** Goes on with the flow that this tab is in the middle of, else begins it; once for each time it is drawn. */
export function useFlowStart(beginning: Beginning): void {
  const wish = useRef(beginning);
  useEffect(() => {
    const { transaction, isBusy } = flowStore.get();
    if (isBusy || transaction?.flow === wish.current.flow) return;
    void (flowUnderWay() === wish.current.flow ? resumeOrBegin(wish.current) : begin(wish.current));
  }, []);
}

async function resumeOrBegin(beginning: Beginning): Promise<void> {
  await resume();
  const { transaction } = flowStore.get();
  if (transaction?.flow !== beginning.flow || transaction.status !== 'PENDING') await begin(beginning);
}

/** Goes on with whatever this browser has begun, in another tab too. */
export function useResume(): void {
  useEffect(() => {
    const { transaction, isBusy, ended } = flowStore.get();
    if (!transaction && !isBusy && !ended) void resume();
  }, []);
}
