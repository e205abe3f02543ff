import { firstPage } from '../browser/pageState';
import { post } from './client';
import { currentPage, requestIdOf } from './pages';

// Limits of the host (host/api/client_errors.py).
const MAX_MESSAGE_LENGTH = 500;
const MAX_FRAMES = 10;
// A fault that repeats must not become a stream of requests.
const MAX_REPORTS = 5;
const OWN_POSITION = /\/static\/dist\/([\w./-]{1,100}:\d{1,7}:\d{1,7})/g;

const reported = new Set<string>();

/**
 * Reports an error to the host's log: each once and at most five per document. Errors that only scripts of others are
 * part of, such as those of browser extensions, are not reported.
 */
export async function reportClientError(error: unknown): Promise<void> {
  const stack = stackOf(error);
  const positions = [...stack.matchAll(OWN_POSITION)].map((match) => match[1]).slice(0, MAX_FRAMES);
  if (positions.length === 0 && stack.includes('://')) return;
  const message = messageOf(error).slice(0, MAX_MESSAGE_LENGTH);
  const key = `${message} ${positions[0]}`;
  if (reported.has(key) || reported.size >= MAX_REPORTS) return;
  reported.add(key);
  const page = currentPage();
  const first = firstPage();
  await post(
    '/client-errors',
    {
      message,
      stack: positions,
      page: page?.page ?? first.page,
      build: first.build,
      requestId: requestIdOf(page),
    },
    { keepalive: true },
    // The log is all that is lost.
  ).catch(() => undefined);
}

/** Without the message, with which stacks of Chromium begin. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return String(error.stack ?? '').replace(error.message, '');
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === 'string' ? error : `thrown value of type ${typeof error}`;
}
