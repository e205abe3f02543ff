import { useEffect } from 'react';
import { ApiProblem } from '../api/client';
import { pollFlow, type Transaction } from '../api/identity';
import { end, isTurn, nextTurn, take } from './flowActions';
import { changeFlow, flowStore } from './flowStore';
import { stepKey } from './stepTexts';

// Specification §9: 2^n seconds, up to 5 retries; not faster than every 500 ms.
const RETRIES = 5;
const SHORTEST_MS = 500;

/** Asks the host for news for as long as the step waits for something that happens elsewhere. */
export function usePolling(transaction: Transaction | null, isPaused: boolean): void {
  const everyMs = transaction?.status === 'PENDING' ? waitOf(transaction) : null;
  useEffect(() => {
    if (everyMs === null || isPaused) return;
    return pollEvery(everyMs);
  }, [everyMs, isPaused]);
}

function waitOf({ steps, retryAfterMs }: Transaction): number | null {
  return retryAfterMs ?? steps[0]?.poll?.everyMs ?? null;
}

function pollEvery(everyMs: number): () => void {
  let failures = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;

  const plan = (ms: number) => {
    timer = setTimeout(() => void ask(), Math.max(ms, SHORTEST_MS));
  };

  async function ask(): Promise<void> {
    const mine = nextTurn();
    try {
      const transaction = await pollFlow();
      if (isOver || !isTurn(mine)) return;
      failures = 0;
      takeNews(transaction);
      // Another wait or another step is another effect; the same one goes on here.
      plan(waitOf(transaction) ?? everyMs);
    } catch (problem) {
      if (!isOver && isTurn(mine)) again(problem);
    }
  }

  function again(problem: unknown): void {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 404 || problem.status === 410) {
      end(problem, {});
    } else if (failures >= RETRIES) {
      changeFlow({ hasStopped: true });
    } else {
      plan((problem.retryAfterS ?? 2 ** failures) * 1000);
      failures += 1;
    }
  }

  plan(everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** News of the step that is on screen leave what was said about it; somebody may be reading that. */
function takeNews(news: Transaction): void {
  const { transaction, failure } = flowStore.get();
  const isSame = transaction !== null && stepKey(transaction) === stepKey(news);
  const messages = isSame && news.messages.length === 0 ? transaction.messages : news.messages;
  take({ ...news, messages });
  if (isSame) changeFlow({ failure });
}

/** After the asking has stopped: `usePolling` goes on. */
export function askAgain(): void {
  changeFlow({ hasStopped: false });
}
