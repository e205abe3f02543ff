import { useEffect, useRef } from 'react';
import type { FlowStart } from '../../api/identity';
import { storedFlow } from '../../browser/storage/formDrafts';
import { begin, resume } from './flowActions';
import { flowStore } from './flowStore';

/** On mount, resumes this tab's flow, else begins it. */
export function useFlowStart(flowStart: FlowStart): void {
  const request = useRef(flowStart);
  useEffect(() => {
    const { transaction, isBusy } = flowStore.get();
    if (isBusy || transaction?.flow === request.current.flow) return;
    void (storedFlow() === request.current.flow ? resumeOrBegin(request.current) : begin(request.current));
  }, []);
}

async function resumeOrBegin(flowStart: FlowStart): Promise<void> {
  await resume();
  const { transaction } = flowStore.get();
  if (transaction?.flow !== flowStart.flow || transaction.status !== 'PENDING') await begin(flowStart);
}

/** Resumes the flow that this browser has begun, also in another tab. */
export function useResume(): void {
  useEffect(() => {
    const { transaction, isBusy, ended } = flowStore.get();
    if (!transaction && !isBusy && !ended) void resume();
  }, []);
}
