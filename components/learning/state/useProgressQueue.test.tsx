import { renderHook } from '@testing-library/react';
import { knownProgress } from '../../browser/progress/knownProgress';
import { unsentProgress } from '../../browser/progress/unsentProgress';
import { resetBrowser, signIn } from '../../fixtures/cartServer';
import { useProgressQueue } from './useProgressQueue';

const ADA = 7;
type Sent = { body: unknown; keepalive: boolean | undefined };

/** A server that never answers, as one whose page is gone. */
function recordCalls(): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = ((_address: string, { body, keepalive }: RequestInit) => {
    sent.push({ body: JSON.parse(String(body)), keepalive });
    return new Promise(() => undefined);
  }) as unknown as typeof fetch;
  return sent;
}

function hide(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  resetBrowser();
  knownProgress.clear();
  signIn(ADA);
});

test.each([
  ['the page is left', () => window.dispatchEvent(new Event('pagehide'))],
  ['the page is hidden, after which phones may end it', () => hide('hidden')],
])('what waits is sent when %s, and outlives the page', (_name, leave) => {
  const sent = recordCalls();
  const { unmount } = renderHook(() => useProgressQueue(ADA));
  expect(sent).toEqual([]);
  unsentProgress.add(ADA, 3, { at: 5, done: true });
  unsentProgress.add(8, 2, { at: 5, done: true });
  hide('visible');
  expect(sent).toEqual([]);
  leave();
  const body = { learnerId: ADA, changes: [{ lesson: 3, at: 5, done: true }] };
  expect(sent).toEqual([{ body, keepalive: true }]);
  unmount();
  leave();
  expect(sent).toHaveLength(1);
  // Nothing has answered: it waits for the next page.
  expect(unsentProgress.of(ADA, Date.now()).map(({ lesson }) => lesson)).toEqual([3]);
});
