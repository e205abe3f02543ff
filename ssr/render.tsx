import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from '../components/App';
import type { PageData, Site } from '../components/api/pageProps';
import { loadPage, PAGE_IDS } from '../components/routes';
import { type Job, pageData } from './job';
import { Batches } from './markup';

type TreeProps = { url: string; site: Site; first: PageData };

function Tree({ url, site, first }: TreeProps) {
  return (
    <StaticRouter location={url}>
      <App site={site} first={first} />
    </StaticRouter>
  );
}

/** Every page's module, before the first job: drawing never waits for code. */
export async function loadPages(): Promise<void> {
  await Promise.all(PAGE_IDS.map(loadPage));
}

/** The whole markup at once, for pages with nothing pending. */
export function drawWhole(job: Job): string {
  return renderToString(<Tree url={job.url} site={job.site} first={pageData(job, {})} />);
}

export type Drawing = {
  /** A deferred part is there; null when it could not be had. */
  deliver: (key: string, value: unknown) => void;
  /** Time is up: what is open is left to the browser, the stream ends properly. */
  finish: () => void;
};

type Listener = {
  onMarkup: (markup: Buffer) => void;
  onEnd: () => void;
  onFailure: (message: string) => void;
};

/** The shell as soon as it stands, each deferred part when its data comes. */
export function drawStream(job: Job, listener: Listener): Drawing {
  const open = new Map<string, (value: unknown) => void>();
  const parts: Record<string, unknown> = {};
  for (const key of job.deferred) parts[key] = new Promise((resolve) => open.set(key, resolve));
  let hasShell = false;
  const { pipe, abort } = renderToPipeableStream(
    <Tree url={job.url} site={job.site} first={pageData(job, parts)} />,
    {
      ...(job.nonce === null ? {} : { nonce: job.nonce }),
      // A part that is there when the shell leaves stands in its place: React would send large ones behind the shell.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady() {
        hasShell = true;
        pipe(new Batches(listener.onMarkup, listener.onEnd));
      },
      onShellError(error) {
        listener.onFailure(error instanceof Error ? error.message : String(error));
      },
      // An error inside a boundary leaves that part to the browser; React has marked it in the markup.
      onError() {},
    },
  );
  return {
    deliver: (key, value) => {
      open.get(key)?.(value);
      open.delete(key);
    },
    finish: () => {
      if (hasShell) abort(new Error('The time for this page is up'));
      else listener.onFailure('the shell was not ready in time');
    },
  };
}
