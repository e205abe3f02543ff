import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { isStale, watchBuilds } from './api/builds';
import type { PageData } from './api/pageProps';
import { getPage, keepPage, type Moved } from './api/pages';
import { applyHead } from './browser/head';
import { watchLinks } from './browser/links';
import { reloadOnce } from './browser/reload';
import { focusMain, placeScroll, rememberScroll, restoreScroll } from './browser/scroll';
import { ChunkFailed, loadPage } from './routes';

type Shown = { data: PageData; address: string; key: string; hasFailed: boolean };

export type ShownPage = { data: PageData; isLoading: boolean; hasFailed: boolean; retry: () => void };

function addressOf(location: Location): string {
  return location.pathname + location.search;
}

/**
 * The page on screen. It follows the router's location: the old page stays until the new one's data and chunk are
 * there, then title, canonical, scroll position and focus follow.
 */
export function useShownPage(first: PageData, build: string): ShownPage {
  const location = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const navigate = useNavigate();
  const [shown, setShown] = useState<Shown>({
    data: first,
    address: addressOf(location),
    key: location.key,
    hasFailed: false,
  });
  const [attempt, setAttempt] = useState(0);
  const onScreen = useRef(shown);
  const isFirst = useRef(true);
  const address = addressOf(location);

  useEffect(() => {
    keepPage(onScreen.current.address, first);
    return rememberScroll(() => onScreen.current.key);
  }, [first]);

  useEffect(() => watchBuilds(build), [build]);

  useEffect(
    () =>
      watchLinks({
        onNavigate: (target) => navigate(target),
        // Failures wait for the click.
        onIntent: (target) => void wholePage(withoutHash(target), build, false).catch(() => undefined),
        isFullLoad: isStale,
      }),
    [navigate, build],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt asks for the same address once more
  useEffect(() => {
    const before = onScreen.current;
    if (address === before.address && !before.hasFailed) {
      onScreen.current = { ...before, key: location.key };
      if (isFirst.current) restoreScroll(location.key);
      else arrive(location, isReturn);
      isFirst.current = false;
      return;
    }
    isFirst.current = false;
    let isCurrent = true;
    const show = (next: Shown) => startTransition(() => setShown(next));
    wholePage(address, build, isReturn)
      .then((page) => {
        if (!isCurrent) return;
        if ('location' in page) navigate(page.location, { replace: true });
        else show({ data: page, address, key: location.key, hasFailed: false });
      })
      .catch((cause: unknown) => {
        if (!isCurrent || (cause instanceof ChunkFailed && reloadOnce())) return;
        show({ data: before.data, address, key: location.key, hasFailed: true });
      });
    return () => {
      isCurrent = false;
    };
  }, [address, location.key, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly shown page moves scroll and focus
  useLayoutEffect(() => {
    if (onScreen.current === shown || shown.address !== address) return;
    onScreen.current = shown;
    if (!shown.hasFailed) applyHead(shown.data.head);
    arrive(location, isReturn);
  }, [shown]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { data: shown.data, isLoading: shown.address !== address, hasFailed: shown.hasFailed, retry };
}

/** A page's data and the chunk that draws it. */
async function wholePage(address: string, build: string, isReturn: boolean): Promise<PageData | Moved> {
  const page = await getPage(address, build, isReturn);
  if (!('location' in page)) await loadPage(page.page);
  return page;
}

function withoutHash(address: string): string {
  return address.split('#', 1)[0] ?? address;
}

function arrive(location: Location, isReturn: boolean): void {
  placeScroll(location.key, isReturn, location.hash);
  focusMain();
}
