import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './App';
import { setBase } from './api/client';
import type { PageData } from './api/pageProps';
import { readHead } from './browser/head';
import { readParts, readRoot, readState } from './browser/pageState';
import { onChunkFailure } from './chunks';
import { loadPage } from './routes';

async function start(): Promise<void> {
  const { site, deferred, ...state } = readState();
  setBase(site.api);
  await loadPage(state.page);
  const props = { ...(state.props as Record<string, unknown>), ...readParts(deferred) };
  const first: PageData = { ...state, head: readHead(), props };
  const { root, isDrawn } = readRoot();
  const tree = (
    <BrowserRouter>
      <App site={site} first={first} />
    </BrowserRouter>
  );
  // The page is readable already: hydration gives way to what the visitor does meanwhile.
  if (isDrawn) startTransition(() => void hydrateRoot(root, tree, { onRecoverableError }));
  else createRoot(root).render(tree);
}

/** A part that its worker could not finish (React error 419) is drawn here: that is no fault of this page. */
function onRecoverableError(error: unknown): void {
  const isUnfinishedPart = error instanceof Error && error.message.startsWith('Minified React error #419;');
  if (!isUnfinishedPart) reportError(error);
}

start().catch(onChunkFailure);
