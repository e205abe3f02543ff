// Reference node-mem: bare Node http and renderToPipeableStream of our own tree, the props in memory. No database, no
// host, no frames: what React alone costs on a core. Written as React's documentation shows it: everything from
// onShellReady on. Head and tail are the bytes that the host printed for the same page.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from '../components/App';
import type { PageData, SiteProps } from '../components/contracts/schema';
import { loadPage } from '../components/routes';

type Captured = { url: string; site: SiteProps; data: PageData; head: string; tail: string };

class Body extends Writable {
  constructor(
    private readonly response: ServerResponse,
    private readonly tail: string,
  ) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.response.write(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.response.end(this.tail);
    done();
  }
}

function render({ url, site, data, head, tail }: Captured, response: ServerResponse): void {
  const { pipe } = renderToPipeableStream(
    <StaticRouter location={url}>
      <App site={site} first={data} />
    </StaticRouter>,
    {
      onShellReady() {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.write(head);
        pipe(new Body(response, tail));
      },
    },
  );
}

async function main(port: number, file: string): Promise<void> {
  const pages: Captured[] = JSON.parse(readFileSync(file, 'utf8'));
  await Promise.all(pages.map((page) => loadPage(page.data.page)));
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  createServer((request, response) => {
    const page = byUrl.get(request.url ?? '');
    if (page) render(page, response);
    else response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
}

main(Number(process.argv[2]), process.argv[3] ?? '');
