import { startTransition, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { isStale, watchBuilds } from './api/builds';
import { cachePage, getPage, setCurrentPage } from './api/pages';
import { applyHead } from './browser/head';
import { watchLinks } from './browser/links';
import { isOnline, reloadOnce, reloadPage, replaceWith } from './browser/reload';
import { focusMain, followEntries, placeScroll, rememberScroll, restoreScroll } from './browser/scroll';
import { useNavigate } from './browser/useNavigate';
import type { PageData, PageRedirect } from './contracts/schema';
import { ChunkFailed, loadPage, type Routes } from './pageTable';

type DisplayedPage = { data: PageData; address: string; key: string; hasFailed: boolean };

export type CurrentPage = {
  data: PageData;
  isLoading: boolean;
  hasFailed: boolean;
  retry: () => void;
  /** Shows other data of the page on screen; scroll and focus stay. */
  replaceData: (data: PageData) => Promise<void>;
};

function addressOf(location: Location): string {
  return location.pathname + location.search;
}

/**
 * The current page. It follows the router's location: the old page stays until the new one's data and chunk are
 * loaded; then title, canonical, scroll position and focus are updated.
 */
export function useCurrentPage(first: PageData, build: string, routes: Routes): CurrentPage {
  const location = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const navigate = useNavigate();
  const [displayed, setDisplayed] = useState<DisplayedPage>({
    data: first,
    address: addressOf(location),
    key: location.key,
    hasFailed: false,
  });
  const [attempt, setAttempt] = useState(0);
  const onScreen = useRef(displayed);
  const isFirst = useRef(true);
  const isCodeMissing = useRef(false);
  const address = addressOf(location);
  // Not the address of the window: parameters may be cut from it, or put into it, while the page stays.
  const requested = useRef(address);

  useLayoutEffect(() => {
    requested.current = address;
  }, [address]);

  useEffect(() => {
    cachePage(onScreen.current.address, first);
    return rememberScroll(() => onScreen.current.key);
  }, [first]);

  useEffect(
    () =>
      followEntries(
        () => onScreen.current.address,
        (key) => {
          onScreen.current = { ...onScreen.current, key };
        },
      ),
    [],
  );

  useEffect(() => watchBuilds(build), [build]);

  useEffect(
    () =>
      watchLinks({
        onNavigate: (target) => navigate(target),
        // A failure is handled on click.
        onIntent: (target) =>
          void loadWholePage(withoutHash(target), false, first, build, routes).catch(() => undefined),
        isFullLoad: isStale,
      }),
    [navigate, first, build, routes],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt loads the same address again
  useEffect(() => {
    const previous = onScreen.current;
    if (isFirst.current) {
      isFirst.current = false;
      restoreScroll(location.key);
      return;
    }
    if (address === previous.address && !previous.hasFailed) {
      // followEntries handles moves between the entries of this page. Another page may be about to be rendered.
      if (isReturn) return startTransition(() => setDisplayed(previous));
      if (previous.data.status < 400) {
        onScreen.current = { ...previous, key: location.key };
        restoreViewport(location, false);
        return;
      }
    }
    let isCurrent = true;
    const show = (next: DisplayedPage) => startTransition(() => setDisplayed(next));
    loadWholePage(address, isReturn, first, build, routes)
      .then((page) => {
        if (!isCurrent) return;
        // A call that redirects, such as one that goes on at the provider, needs a document.
        if ('location' in page && page.location.startsWith('/api/')) replaceWith(page.location);
        else if ('location' in page) navigate(page.location, { replace: true });
        else if (page.documentKind !== first.documentKind) reloadPage();
        else show({ data: page, address, key: location.key, hasFailed: false });
      })
      .catch((cause: unknown) => {
        isCodeMissing.current = cause instanceof ChunkFailed;
        if (!isCurrent || (isCodeMissing.current && reloadOnce())) return;
        show({ data: previous.data, address, key: location.key, hasFailed: true });
      });
    return () => {
      isCurrent = false;
    };
  }, [address, location.key, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newly shown page moves scroll and focus
  useLayoutEffect(() => {
    if (onScreen.current === displayed || displayed.address !== address) return;
    onScreen.current = displayed;
    setCurrentPage(displayed.data);
    if (!displayed.hasFailed) applyHead(displayed.data.head);
    restoreViewport(location, isReturn);
  }, [displayed]);

  const retry = useCallback(() => {
    // A browser may import a script that failed once from its memory, as failed, until a new document.
    if (isCodeMissing.current && isOnline()) reloadPage();
    else setAttempt((count) => count + 1);
  }, []);
  const replaceData = useCallback(
    async (data: PageData) => {
      await loadPage(routes.pages, data.page);
      // Another page is on its way.
      if (onScreen.current.address !== requested.current) return;
      onScreen.current = { ...onScreen.current, data };
      setDisplayed(onScreen.current);
    },
    [routes],
  );
  return {
    data: displayed.data,
    isLoading: displayed.address !== address,
    hasFailed: displayed.hasFailed,
    retry,
    replaceData,
  };
}

/** Loads a page's data and, beside it, the chunk that its address needs. */
async function loadWholePage(
  address: string,
  isReturn: boolean,
  first: PageData,
  build: string,
  { pages, pageIdAt }: Routes,
): Promise<PageData | PageRedirect> {
  const id = pageIdAt(address.split('?', 1)[0] ?? address);
  // A failure is handled when the data is there: the answer may be another page, or a newer build's.
  if (id) loadPage(pages, id).catch(() => undefined);
  const page = await getPage(address, build, isReturn);
  if (!('location' in page) && page.documentKind === first.documentKind) await loadPage(pages, page.page);
  return page;
}

function withoutHash(address: string): string {
  return address.split('#', 1)[0] ?? address;
}

function restoreViewport(location: Location, isReturn: boolean): void {
  placeScroll(location.key, isReturn, location.hash);
  focusMain();
}
