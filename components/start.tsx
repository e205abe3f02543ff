import { type ComponentType, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { setBase } from './api/client';
import { readHead } from './browser/head';
import { readParts, readRoot, readState } from './browser/pageState';
import { setCookieLifetime } from './browser/storage/cookies';
import { setSiteCurrency } from './browser/storage/siteCurrency';
import { followTranslators } from './browser/translation';
import { onUnhandledError } from './browser/windowEvents';
import { onChunkFailure } from './chunks';
import type { PageData } from './contracts/schema';
import { loadPage, type PageTable } from './pageTable';
import type { AppProps } from './SiteBody';

/** Shows the page of the document, and every later one, with `App` and its `pages`. */
export function start(App: ComponentType<AppProps>, pages: PageTable): void {
  onUnhandledError((error) => {
    // Without the code there is most likely no connection either.
    import('./api/clientErrors').then(
      ({ reportClientError }) => reportClientError(error),
      () => undefined,
    );
  });
  followTranslators();
  showPage(App, pages).catch(onChunkFailure);
}

async function showPage(App: ComponentType<AppProps>, pages: PageTable): Promise<void> {
  const { site, deferred, ...state } = readState();
  setBase(site.api);
  setSiteCurrency(site.currency);
  setCookieLifetime(site.cookieMinutes);
  await loadPage(pages, state.page);
  const props = { ...(state.props as Record<string, unknown>), ...readParts(deferred) };
  const first: PageData = { ...state, head: readHead(), props };
  const { root, isRendered } = readRoot();
  const tree = (
    <BrowserRouter>
      <App site={site} first={first} />
    </BrowserRouter>
  );
  // The page is readable already: a transition lets the visitor's input go before hydration.
  if (isRendered) startTransition(() => void hydrateRoot(root, tree, errorHandlers));
  else createRoot(root, errorHandlers).render(tree);
}

/** React reports a part that its worker left open as error 419. The browser renders it, so it is no failure. */
function onRecoverableError(error: unknown): void {
  const isUnfinishedPart = error instanceof Error && error.message.startsWith('Minified React error #419;');
  if (!isUnfinishedPart) reportError(error);
}

// Also for errors that a boundary caught: the event of an unhandled error reports them, and the console shows them.
const errorHandlers = { onRecoverableError, onCaughtError: (error: unknown) => reportError(error) };
