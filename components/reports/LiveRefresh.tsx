import { useCallback, useEffect, useState } from 'react';
import { fetchShown } from '../api/pages';
import { useRefresh } from '../api/session/privatePage';
import { useShop } from '../api/site';
import { serverNow } from '../browser/session/session';
import { useRepeatedLoad } from './useRepeatedLoad';

type LiveRefreshProps = {
  /** When the figures were made, ISO 8601. */
  at: string;
  seconds: number;
  count: (value: number) => string;
};

/**
 * Loads the page again every so many seconds while somebody looks at it, and says how old its figures are. Focus, scroll
 * and what is open stay. What moves by itself can be stopped.
 */
export function LiveRefresh({ at, seconds, count }: LiveRefreshProps) {
  const load = useQuietRefresh();
  const [isPaused, setPaused] = useState(false);
  const hasFailed = useRepeatedLoad(load, () => (isPaused ? -1 : seconds * 1000));
  const age = useAge(at);
  const toggle = () => {
    setPaused(!isPaused);
    // Without an answer the next one comes in its time.
    if (isPaused) load().catch(() => undefined);
  };
  const plan = isPaused
    ? 'Paused.'
    : hasFailed
      ? `The last try has failed; the next one is within ${count(seconds)} seconds.`
      : `Again every ${count(seconds)} seconds while you look at it.`;
  return (
    <p className="report-live">
      <span>
        <span
          className={isPaused || hasFailed ? 'report-live__dot report-live__dot--still' : 'report-live__dot'}
        />{' '}
        Refreshed <time dateTime={at}>{ageText(age, count)}</time>. {plan}
      </span>
      <button type="button" className="report-live__pause button button--quiet" onClick={toggle}>
        {isPaused ? 'Go on' : 'Pause'}
      </button>
    </p>
  );
}

/** Loads the page again; an answer without the page leaves the old one on screen, and rejects. */
function useQuietRefresh(): () => Promise<void> {
  const { site, replaceData } = useShop();
  const refresh = useRefresh();
  return useCallback(async () => {
    const page = await fetchShown(site.build);
    if (!page) return;
    // The sign-in has ended, for example.
    if ('location' in page) return refresh();
    if (page.status >= 400) throw new Error(`answered ${page.status}`);
    await replaceData?.(page);
  }, [site, replaceData, refresh]);
}

const STEP_S = 10;

/** For how many seconds the figures have been there, in steps; 0 in the first render. */
function useAge(at: string): number {
  const [age, setAge] = useState(0);
  useEffect(() => {
    const tell = () => {
      const passed = Math.floor((serverNow() - Date.parse(at)) / 1000 / STEP_S) * STEP_S;
      setAge(Math.max(passed, 0));
    };
    tell();
    const timer = setInterval(tell, STEP_S * 1000);
    return () => clearInterval(timer);
  }, [at]);
  return age;
}

function ageText(age: number, count: (value: number) => string): string {
  if (age < STEP_S) return 'just now';
  return age < 60 ? `${count(age)} seconds ago` : `${count(Math.floor(age / 60))} min ago`;
}
