import { useEffect, useRef, useState } from 'react';
import { getOrderStatus } from '../../api/orders/orders';
import type { OrderStatus } from '../../contracts/schema';

const MAX_PAUSE_MS = 15_000;
/** After this many questions nobody waits in front of the page: there will be an email. */
const MAX_POLLS = 11;

export type FollowedStatus = { status: OrderStatus; answers: number };

/**
 * The state of an order, asked for again while the host says that it may change soon: at growing pauses, for two
 * minutes. `answers`: to the questions so far. `onChange` is called when the state is another one.
 */
export function useOrderStatus(first: OrderStatus, onChange: () => void): FollowedStatus {
  const [followed, setFollowed] = useState<FollowedStatus>({ status: first, answers: 0 });
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    let state = first.state;
    setFollowed({ status: first, answers: 0 });
    return poll(first, (status, answers) => {
      setFollowed({ status, answers });
      if (status.state !== state) changed.current();
      state = status.state;
    });
  }, [first]);

  return followed;
}

/** Asks as often as the host says; returns a function that stops it. A question without an answer is repeated. */
function poll(first: OrderStatus, onStatus: (status: OrderStatus, answers: number) => void): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = first;
  let answers = 0;

  function wait(polls: number, pauseMs: number | null): void {
    if (pauseMs !== null) timer = setTimeout(() => void ask(polls + 1, pauseMs), pauseMs);
  }

  async function ask(polls: number, pauseMs: number): Promise<void> {
    const status = await getOrderStatus(first.code, polls).catch(() => null);
    if (isStopped) return;
    if (status) answers += 1;
    else if (polls < MAX_POLLS) return wait(polls, Math.min(2 * pauseMs, MAX_PAUSE_MS));
    last = status ?? { ...last, retryMs: null };
    onStatus(last, answers);
    if (!isStopped) wait(polls, last.retryMs);
  }

  wait(0, first.retryMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
