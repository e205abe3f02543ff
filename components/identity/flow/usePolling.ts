import { useEffect } from 'react';
import { ApiProblem } from '../../api/client';
import { pollFlow, type Transaction } from '../../api/identity';
import { applyTransaction, endFlow } from './flowActions';
import { flowStore, isCurrent, nextRequestId, updateFlow } from './flowStore';
import { stepKey } from './stepTexts';

// Specification §9: 2^n seconds, up to 5 retries; not faster than every 500 ms.
const RETRIES = 5;
const MIN_WAIT_MS = 500;

/** Polls the host while the step waits for something that happens elsewhere. */
export function usePolling(transaction: Transaction | null, isPaused: boolean): void {
  const everyMs = transaction?.status === 'PENDING' ? intervalOf(transaction) : null;
  useEffect(() => {
    if (everyMs === null || isPaused) return;
    return pollEvery(everyMs);
  }, [everyMs, isPaused]);
}

function intervalOf({ steps, retryAfterMs }: Transaction): number | null {
  return retryAfterMs ?? steps[0]?.poll?.everyMs ?? null;
}

function pollEvery(everyMs: number): () => void {
  let failures = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;

  const schedule = (ms: number) => {
    timer = setTimeout(() => void poll(), Math.max(ms, MIN_WAIT_MS));
  };

  async function poll(): Promise<void> {
    const id = nextRequestId();
    try {
      const transaction = await pollFlow();
      if (isStopped || !isCurrent(id)) return;
      failures = 0;
      applyUpdate(transaction);
      // A new interval or step restarts the effect; otherwise polling continues here.
      schedule(intervalOf(transaction) ?? everyMs);
    } catch (problem) {
      if (!isStopped && isCurrent(id)) handleFailure(problem);
    }
  }

  function handleFailure(problem: unknown): void {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 404 || problem.status === 410) {
      endFlow(problem, {});
    } else if (failures >= RETRIES) {
      updateFlow({ hasStopped: true });
    } else {
      schedule((problem.retryAfterS ?? 2 ** failures) * 1000);
      failures += 1;
    }
  }

  schedule(everyMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** An update of the same step leaves its messages: they may be being read. */
function applyUpdate(update: Transaction): void {
  const { transaction, failure } = flowStore.get();
  const isSame = transaction !== null && stepKey(transaction) === stepKey(update);
  const messages = isSame && update.messages.length === 0 ? transaction.messages : update.messages;
  applyTransaction({ ...update, messages });
  if (isSame) updateFlow({ failure });
}

/** Resumes `usePolling` after it has stopped. */
export function resumePolling(): void {
  updateFlow({ hasStopped: false });
}
