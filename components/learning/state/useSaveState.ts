import { useEffect, useState, useSyncExternalStore } from 'react';
import { progressSaving, type SaveState } from '../../api/learning/progress';
import { useShop } from '../../api/site';
import { serverNow } from '../../browser/session/session';

/** How saving goes; signed-out also when the session's time is over, before any call was refused. */
export function useSaveState(): SaveState {
  const state = useSyncExternalStore(progressSaving.subscribe, progressSaving.get, (): SaveState => 'idle');
  const isOver = useIsOver(Date.parse(useShop().page?.session?.expiresAt ?? ''));
  return isOver ? 'signed-out' : state;
}

// Browsers count the milliseconds of a timer in 32 bits.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether this time has come; never without one. */
export function useIsOver(until: number): boolean {
  const [isOver, setIsOver] = useState(() => serverNow() >= until);
  useEffect(() => {
    const left = until - serverNow();
    setIsOver(left <= 0);
    if (!(left > 0) || left > MAX_TIMER_MS) return;
    const timer = setTimeout(() => setIsOver(true), left);
    return () => clearTimeout(timer);
  }, [until]);
  return isOver;
}
