import type { PageData, Site } from '../api/pageProps';

type State = Omit<PageData, 'head'> & { site: Site; deferred: string[] };
type Part = [key: string, value: unknown];
type Parts = { push: (part: Part) => void };

/** What the host put beside the markup: docs/wire.md, "document". */
export function readState(): State {
  return JSON.parse(document.getElementById('state')?.textContent ?? 'null') as State;
}

/** The element React draws in, and whether a worker has drawn it. */
export function readRoot(): { root: HTMLElement; isDrawn: boolean } {
  const root = document.getElementById('root');
  if (!root) throw new Error('The document has no #root');
  return { root, isDrawn: root.dataset.drawn !== 'no' };
}

/**
 * The deferred parts: those that are there as values, those still on their way as promises. A stream that broke off
 * settles the rest as null ("could not be had") when the document has ended.
 */
export function readParts(keys: string[]): Record<string, unknown> {
  const open = new Map<string, (value: unknown) => void>();
  const holder = window as unknown as { parts?: Part[] | Parts };
  const arrived = new Map(Array.isArray(holder.parts) ? holder.parts : []);
  const parts: Record<string, unknown> = {};
  for (const key of keys) {
    parts[key] = arrived.has(key) ? arrived.get(key) : new Promise((resolve) => open.set(key, resolve));
  }
  holder.parts = { push: ([key, value]: Part) => open.get(key)?.(value) };
  const settleRest = () => {
    for (const resolve of open.values()) resolve(null);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', settleRest);
  else settleRest();
  return parts;
}
