import { newUuid } from '../model/uuid';
import { readTabValue, writeTab } from './storage/tabStorage';
import { listen } from './windowEvents';

const KEY = 'scroll_positions';
const MAX_ENTRIES = 50;
// React Router's key of the entry that the document was loaded with.
const FIRST_ENTRY = 'default';

let positions: Record<string, number> | null = null;

function allPositions(): Record<string, number> {
  positions ??= readStored();
  return positions;
}

/** Anything but a record of numbers reads as empty. */
function readStored(): Record<string, number> {
  const value = readTabValue(KEY);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, y]) => typeof y === 'number'));
}

/** Stores the scroll position of each history entry until it is stopped. `currentKey` names the current entry. */
export function rememberScroll(currentKey: () => string): () => void {
  const record = () => {
    allPositions()[currentKey()] = window.scrollY;
  };
  const save = () => {
    record();
    // Without storage, positions last as long as the page.
    writeTab(KEY, JSON.stringify(Object.fromEntries(Object.entries(allPositions()).slice(-MAX_ENTRIES))));
  };
  const stopRecording = listen(window, 'scroll', record);
  const stopSaving = listen(window, 'pagehide', save);
  return () => {
    stopRecording();
    stopSaving();
  };
}

/**
 * After a reload or a return by full load: the stored position; on a first visit the browser decides. It cannot return
 * to a place in a document that came without markup: the reload of such a page is still at its top.
 */
export function restoreScroll(key: string): void {
  const position = allPositions()[key];
  if (position === undefined || (key === FIRST_ENTRY && (window.scrollY || !isReloaded()))) return;
  window.scrollTo({ top: position, behavior: 'instant' });
}

function isReloaded(): boolean {
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return document?.type === 'reload';
}

/**
 * Follows moves between history entries of the page on screen, whose path and query is `currentAddress`; `onMove` gets
 * the key of the new entry. After a press on a link to a part of the page the browser itself scrolls and moves the
 * focus, and the entry only gets a key; back and forward restore the stored position.
 */
export function followEntries(currentAddress: () => string, onMove: (key: string) => void): () => void {
  const onPop = () => {
    if (window.location.pathname + window.location.search !== currentAddress()) return;
    const state = window.history.state as { key?: string } | null;
    const key = state ? (state.key ?? FIRST_ENTRY) : newUuid();
    onMove(key);
    if (state) scrollToEntry(key, true, window.location.hash);
    else window.history.replaceState({ key }, '');
  };
  return listen(window, 'popstate', onPop);
}

/** Scrolls a new page: to its stored position when coming back, to the hash's element, else to the top. */
export function placeScroll(key: string, isReturn: boolean, hash: string): void {
  window.history.scrollRestoration = 'manual';
  scrollToEntry(key, isReturn, hash);
}

function scrollToEntry(key: string, isReturn: boolean, hash: string): void {
  const position = isReturn ? allPositions()[key] : undefined;
  if (position !== undefined) {
    window.scrollTo({ top: position, behavior: 'instant' });
    return;
  }
  const target = hash ? document.getElementById(decoded(hash.slice(1))) : null;
  if (target) target.scrollIntoView({ behavior: 'instant' });
  else window.scrollTo({ top: 0, behavior: 'instant' });
}

/** A hash may hold a bare percent sign, which is no escape. */
function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** Moves the focus of keyboard and screen reader to the new page without scrolling. */
export function focusMain(): void {
  const main = document.getElementById('main');
  if (!main) return;
  if (!main.hasAttribute('tabindex')) main.setAttribute('tabindex', '-1');
  main.focus({ preventScroll: true });
}
