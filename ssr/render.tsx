import { Writable } from 'node:stream';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from '../components/App';
import { AreaApp } from '../components/AreaApp';
import { AREA_ROUTES } from '../components/areaRoutes';
import type { PageData, SiteProps } from '../components/contracts/schema';
import { loadPage } from '../components/pageTable';
import { ROUTES } from '../components/routes';
import { type Job, pageData } from './job';

type TreeProps = { url: string; site: SiteProps; first: PageData };

function Tree({ url, site, first }: TreeProps) {
  const Body = first.area ? AreaApp : App;
  return (
    <StaticRouter location={url}>
      <Body site={site} first={first} />
    </StaticRouter>
  );
}

/** Loads the module of every page. Called before the first job: rendering is synchronous and cannot wait for code. */
export async function loadPages(): Promise<void> {
  const tables = [ROUTES.pages, AREA_ROUTES.pages];
  await Promise.all(tables.flatMap((pages) => Object.keys(pages).map((id) => loadPage(pages, id))));
}

/** The markup of a page with nothing pending, in one piece. */
export function renderComplete(job: Job): string {
  return renderToString(<Tree url={job.url} site={job.site} first={pageData(job, {})} />);
}

export type StreamedRender = {
  /** Fills in a deferred part; null when the host could not load it. */
  deliver: (key: string, value: unknown) => void;
  /** Ends the stream in order, at the deadline or for a visitor who left; the browser renders the parts still open. */
  finish: () => void;
};

type Listener = {
  onMarkup: (markup: Buffer) => void;
  onEnd: () => void;
  onFailure: (message: string) => void;
};

/** Streams a page: first the shell, then each deferred part once its data has been delivered. */
export function renderStream(job: Job, listener: Listener): StreamedRender {
  const waiting = new Map<string, (value: unknown) => void>();
  const parts: Record<string, unknown> = {};
  for (const key of job.deferred) parts[key] = new Promise((resolve) => waiting.set(key, resolve));
  let hasShell = false;
  const { pipe, abort } = renderToPipeableStream(
    <Tree url={job.url} site={job.site} first={pageData(job, parts)} />,
    {
      ...(job.nonce === null ? {} : { nonce: job.nonce }),
      // Parts that are ready with the shell stay in their place. By default React sends large ones after the shell.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady() {
        hasShell = true;
        pipe(new MarkupBatches(listener.onMarkup, listener.onEnd));
      },
      onShellError(error) {
        listener.onFailure(error instanceof Error ? error.message : String(error));
      },
      // After an error inside a boundary the browser renders that part: React has marked it in the markup.
      onError() {},
    },
  );
  return {
    deliver: (key, value) => {
      waiting.get(key)?.(value);
      waiting.delete(key);
    },
    finish: () => {
      if (hasShell) abort(new Error('the deadline of this page has passed'));
      else listener.onFailure('the shell was not ready in time');
    },
  };
}

/**
 * Collects what React writes and hands it over at each `flush`, which React calls between tags. The markup stays bytes:
 * as text it would be decoded here and encoded again for the socket.
 */
class MarkupBatches extends Writable {
  private batch: Uint8Array[] = [];

  constructor(
    private readonly onMarkup: (markup: Buffer) => void,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override write(chunk: string | Uint8Array): boolean {
    this.batch.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const markup = Buffer.concat(this.batch);
    this.batch = [];
    this.onMarkup(markup);
  }

  /** Reports the end in the same tick, so that it leaves in one write with the last markup. */
  override end(): this {
    this.flush();
    this.onEnd();
    return this;
  }
}
