import { useEffect, useState } from 'react';
import { whenVisible } from '../browser/whenVisible';

/**
 * Calls `load` again and again: after `waitMs(loads)` each time, where `loads` counts those that have ended, and only
 * while somebody looks at the page. Negative: it waits for nothing until `waitMs` is another function. Returns whether
 * the last load failed; such a load is repeated.
 */
export function useRepeatedLoad(load: () => Promise<void>, waitMs: (loads: number) => number): boolean {
  const [{ loads, hasFailed }, setState] = useState({ loads: 0, hasFailed: false });
  const wait = waitMs(loads);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load that ends begins another wait, also of the same time
  useEffect(() => {
    if (wait < 0) return;
    let stopWaiting = () => {};
    const end = (hasFailed: boolean) => setState(({ loads }) => ({ loads: loads + 1, hasFailed }));
    const begin = () => {
      load().then(
        () => end(false),
        () => end(true),
      );
    };
    const timer = setTimeout(() => {
      stopWaiting = whenVisible(begin);
    }, wait);
    return () => {
      clearTimeout(timer);
      stopWaiting();
    };
  }, [loads, wait, load]);
  return hasFailed;
}
