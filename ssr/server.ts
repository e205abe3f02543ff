import { unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type Frame, FrameReader, frame } from './frames';
import { parseJob } from './job';
import { log } from './log';
import { RenderQueue } from './queue';
import { loadPages, renderComplete, renderStream, type StreamedRender } from './render';
import { LoopLag, RenderTotals } from './status';

const STOP_MS = 1_000;
const queue = new RenderQueue();
const totals = new RenderTotals();
const lag = new LoopLag();
/** Streams that have begun and not ended. */
let open = 0;

/** Serves one connection of a host. */
function serve(socket: Socket): void {
  const reader = new FrameReader();
  const renders: Renders = new Map();
  const uncork = () => socket.uncork();
  // Frames of one tick leave in one write: a write costs as much as rendering several cards.
  const send: Send = (type, job, payload = '') => {
    if (!socket.writable) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(uncork);
    }
    socket.write(frame(type, job, payload));
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const [job, render] of renders) {
      renders.delete(job);
      render.finish();
    }
  });
  socket.on('data', (data: Buffer) => {
    try {
      for (const received of reader.read(data)) handle(received, renders, send);
    } catch (error) {
      log('ERROR', `connection closed: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
  });
}

type Send = (type: string, job: number, payload?: string | Buffer) => void;
/** The jobs of a connection by number: those that wait for their render, and streams that are open. */
type Renders = Map<number, StreamedRender>;

function handle({ type, job, payload }: Frame, renders: Renders, send: Send): void {
  if (type === 'P') {
    send('O', 0, JSON.stringify(totals.status(open + queue.size, lag)));
  } else if (type === 'J') {
    enqueue(job, payload, renders, send);
  } else if (type === 'D') {
    const { key, value } = JSON.parse(payload.toString('utf8')) as { key: string; value: unknown };
    renders.get(job)?.deliver(key, value);
  } else if (type === 'A') {
    renders.get(job)?.finish();
  } else if (type === 'X') {
    const cancelled = renders.get(job);
    renders.delete(job);
    cancelled?.finish();
  } else {
    throw new Error(`a frame of the unknown type ${JSON.stringify(type)}`);
  }
}

function enqueue(number: number, payload: Buffer, renders: Renders, send: Send): void {
  const waiting = new WaitingRender();
  renders.set(number, waiting);
  queue.add(() => {
    if (renders.get(number) !== waiting) return;
    renders.delete(number);
    render(number, payload.toString('utf8'), renders, send);
    const started = renders.get(number);
    if (started !== undefined) waiting.replay(started);
  });
}

/** Keeps what the host sends for a job that waits for its render. */
class WaitingRender implements StreamedRender {
  private readonly received: ((render: StreamedRender) => void)[] = [];

  deliver = (key: string, value: unknown) => void this.received.push((render) => render.deliver(key, value));
  finish = () => void this.received.push((render) => render.finish());

  replay(started: StreamedRender): void {
    for (const pass of this.received) pass(started);
  }
}

function render(number: number, text: string, renders: Renders, send: Send): void {
  const startedAt = performance.now();
  let [requestId, page] = ['', ''];
  const end = () => {
    const ms = performance.now() - startedAt;
    totals.rendered += 1;
    totals.renderMs += ms;
    log('DEBUG', `job ${number} rendered ${page} in ${ms.toFixed(2)} ms`, requestId);
    send('E', number, JSON.stringify({ ms: Math.round(ms * 100) / 100 }));
  };
  try {
    const job = parseJob(text);
    ({ requestId, page } = job);
    if (job.mode === 'whole') {
      send('C', number, renderComplete(job));
      end();
      return;
    }
    const refuse = (message: string) => fail(number, requestId, send, message);
    stream(number, renders, send, end, refuse, (listener) => renderStream(job, listener));
  } catch (error) {
    fail(number, requestId, send, error instanceof Error ? error.message : String(error));
  }
}

type Listener = Parameters<typeof renderStream>[1];

function stream(
  number: number,
  renders: Renders,
  send: Send,
  end: () => void,
  refuse: (message: string) => void,
  start: (listener: Listener) => StreamedRender,
): void {
  // A job that is no longer in the map was cancelled: nothing more is sent for it.
  let isOpen = true;
  const close = (report: () => void) => {
    if (!isOpen) return;
    isOpen = false;
    open -= 1;
    if (renders.delete(number)) report();
  };
  open += 1;
  const started = start({
    onMarkup: (markup) => {
      if (renders.has(number)) send('C', number, markup);
    },
    onEnd: () => close(end),
    onFailure: (message) => close(() => refuse(message)),
  });
  renders.set(number, started);
}

function fail(number: number, requestId: string, send: Send, message: string): void {
  totals.failed += 1;
  log('ERROR', `job ${number} failed: ${message}`, requestId);
  send('R', number, JSON.stringify({ message: message.slice(0, 400) }));
}

async function main(): Promise<void> {
  // React's development build renders three times slower and writes other markup.
  if (process.env.NODE_ENV !== 'production') throw new Error('NODE_ENV must be production');
  const address = process.env.SSR_LISTEN ?? '';
  await loadPages();
  lag.start();
  const server = createServer(serve);
  server.on('error', (error) => {
    log('ERROR', `cannot listen on ${address}: ${error.message}`);
    process.exit(3);
  });
  if (address.startsWith('unix:')) {
    const path = address.slice('unix:'.length);
    removeSocket(path);
    server.listen(path);
  } else {
    const { hostname, port } = new URL(address);
    server.listen(Number(port), hostname);
  }
  process.on('SIGTERM', () => {
    server.close();
    setTimeout(() => process.exit(0), open + queue.size === 0 ? 0 : STOP_MS);
  });
  process.on('SIGINT', () => undefined);
}

/** Removes the socket of a killed worker: while the file exists, listening fails. */
function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

main().catch((error: unknown) => {
  log('ERROR', String(error));
  process.exit(1);
});
