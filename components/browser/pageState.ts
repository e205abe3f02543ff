import type { PageData, SiteProps } from '../contracts/schema';

type State = Omit<PageData, 'head'> & { site: SiteProps; deferred: string[] };
type Part = [key: string, value: unknown];
type Parts = { push: (part: Part) => void };

/** What names the document's first page: it says nothing of a learner, and stays when the state is removed. */
let first: Pick<State, 'page' | 'site'> | null = null;

/**
 * What the host put beside the markup: docs/contracts.md, "document". Removed from the document, where personal data
 * would outlive the sign-in, with the content for browsers without scripts.
 */
export function readState(): State {
  document.getElementById('no-script')?.remove();
  const element = document.getElementById('state');
  const state = JSON.parse(element?.textContent ?? 'null') as State;
  if (state.session) element?.remove();
  first = { page: state.page, site: state.site };
  return state;
}

/** The page and the build of the document, for reports. */
export function firstPage(): { page: string; build: string } {
  const { page, site } = first ?? readState();
  return { page, build: site.build };
}

/** The id under which the host logged the request of this document; "" where the browser does not tell it. */
export function documentRequestId(): string {
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return document?.serverTiming?.find(({ name }) => name === 'request')?.description ?? '';
}

/** React's root element, and whether a worker has rendered its content. */
export function readRoot(): { root: HTMLElement; isRendered: boolean } {
  const root = document.getElementById('root');
  if (!root) throw new Error('The document has no #root');
  return { root, isRendered: root.dataset.rendered !== 'no' };
}

/**
 * Sets `data-hydrated` on <html>: the page is interactive. Deferred parts may still be on their way.
 * Nothing of the product reads it; tests and measurements wait for it.
 */
export function markHydrated(): void {
  document.documentElement.dataset.hydrated = '';
}

/**
 * The deferred parts: arrived ones as values, the others as promises. If the stream breaks off, the rest resolve to
 * null (not available) at the end of the document.
 */
export function readParts(keys: string[]): Record<string, unknown> {
  const open = new Map<string, (value: unknown) => void>();
  const holder = window as unknown as { parts?: Part[] | Parts };
  const values = new Map(Array.isArray(holder.parts) ? holder.parts : []);
  const parts: Record<string, unknown> = {};
  for (const key of keys) {
    parts[key] = values.has(key) ? values.get(key) : new Promise((resolve) => open.set(key, resolve));
  }
  holder.parts = { push: ([key, value]: Part) => open.get(key)?.(value) };
  const settleRest = () => {
    for (const resolve of open.values()) resolve(null);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', settleRest);
  else settleRest();
  return parts;
}
