import { unlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type Frame, FrameReader, frame } from './frames';
import { parseJob } from './job';
import { type Drawing, drawStream, drawWhole, loadPages } from './render';

declare const BUILD_ID: string;

const STOP_MS = 1_000;
let running = 0;

/** One connection of a host: its jobs by number, each with the way to steer it. */
function serve(socket: Socket): void {
  const reader = new FrameReader();
  const drawings = new Map<number, Drawing>();
  const uncork = () => socket.uncork();
  // What is said within one tick leaves together: a write costs as much as the drawing of several cards.
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
    for (const [job, drawing] of drawings) {
      drawings.delete(job);
      drawing.finish();
    }
  });
  socket.on('data', (data: Buffer) => {
    try {
      for (const one of reader.read(data)) take(one, drawings, send);
    } catch (error) {
      log(`connection closed: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
  });
}

type Send = (type: string, job: number, payload?: string | Buffer) => void;

function take({ type, job, payload }: Frame, drawings: Map<number, Drawing>, send: Send): void {
  if (type === 'P') {
    send('O', 0, JSON.stringify({ jobs: running, rss: process.memoryUsage.rss(), build: BUILD_ID }));
  } else if (type === 'J') {
    draw(job, payload.toString('utf8'), drawings, send);
  } else if (type === 'D') {
    const { key, value } = JSON.parse(payload.toString('utf8')) as { key: string; value: unknown };
    drawings.get(job)?.deliver(key, value);
  } else if (type === 'A') {
    drawings.get(job)?.finish();
  } else if (type === 'X') {
    const drawing = drawings.get(job);
    drawings.delete(job);
    drawing?.finish();
  } else {
    throw new Error(`a frame of the unknown type ${JSON.stringify(type)}`);
  }
}

function draw(number: number, text: string, drawings: Map<number, Drawing>, send: Send): void {
  const began = performance.now();
  const end = () =>
    send('E', number, JSON.stringify({ ms: Math.round((performance.now() - began) * 100) / 100 }));
  try {
    const job = parseJob(text);
    if (job.mode === 'whole') {
      send('C', number, drawWhole(job));
      end();
      return;
    }
    stream(number, drawings, send, end, (listener) => drawStream(job, listener));
  } catch (error) {
    fail(number, send, error instanceof Error ? error.message : String(error));
  }
}

type Listener = Parameters<typeof drawStream>[1];

function stream(
  number: number,
  drawings: Map<number, Drawing>,
  send: Send,
  end: () => void,
  start: (listener: Listener) => Drawing,
): void {
  // Once the job is no longer in the map, its visitor has left and nothing more is said about it.
  let isOpen = true;
  const close = (say: () => void) => {
    if (!isOpen) return;
    isOpen = false;
    running -= 1;
    if (drawings.delete(number)) say();
  };
  running += 1;
  const drawing = start({
    onMarkup: (markup) => {
      if (drawings.has(number)) send('C', number, markup);
    },
    onEnd: () => close(end),
    onFailure: (message) => close(() => fail(number, send, message)),
  });
  drawings.set(number, drawing);
}

function fail(number: number, send: Send, message: string): void {
  log(`job ${number} failed: ${message}`);
  send('R', number, JSON.stringify({ message: message.slice(0, 400) }));
}

function log(text: string): void {
  process.stderr.write(`ssr: ${text}\n`);
}

async function main(): Promise<void> {
  // Without it React draws three times slower and says other things.
  if (process.env.NODE_ENV !== 'production') throw new Error('NODE_ENV must be production');
  const address = process.env.SSR_LISTEN ?? '';
  await loadPages();
  const server = createServer(serve);
  server.on('error', (error) => {
    log(`cannot listen on ${address}: ${error.message}`);
    process.exit(3);
  });
  if (address.startsWith('unix:')) {
    const path = address.slice('unix:'.length);
    removeOld(path);
    server.listen(path);
  } else {
    const { hostname, port } = new URL(address);
    server.listen(Number(port), hostname);
  }
  process.on('SIGTERM', () => {
    server.close();
    setTimeout(() => process.exit(0), running === 0 ? 0 : STOP_MS);
  });
  process.on('SIGINT', () => undefined);
}

/** A socket left behind by kill -9 would keep us from listening. */
function removeOld(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

main().catch((error: unknown) => {
  log(String(error));
  process.exit(1);
});
