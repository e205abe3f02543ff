const KEY = 'scroll_positions';
const MAX_ENTRIES = 50;

let positions: Record<string, number> | null = null;

function allPositions(): Record<string, number> {
  positions ??= readStored();
  return positions;
}

/** Anything but a record of numbers reads as empty. */
function readStored(): Record<string, number> {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, y]) => typeof y === 'number'));
  } catch {
    return {};
  }
}

/** Stores the scroll position of each history entry until it is stopped. `currentKey` names the current entry. */
export function rememberScroll(currentKey: () => string): () => void {
  const record = () => {
    allPositions()[currentKey()] = window.scrollY;
  };
  const save = () => {
    record();
    try {
      const entries = Object.entries(allPositions()).slice(-MAX_ENTRIES);
      window.sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
    } catch {
      // Without storage, positions last as long as the page.
    }
  };
  window.addEventListener('scroll', record, { passive: true });
  window.addEventListener('pagehide', save);
  return () => {
    window.removeEventListener('scroll', record);
    window.removeEventListener('pagehide', save);
  };
}

/** After a reload or a return by full load: the stored position; on a first visit the browser decides. */
export function restoreScroll(key: string): void {
  const position = allPositions()[key];
  if (position !== undefined && key !== 'default') window.scrollTo({ top: position, behavior: 'instant' });
}

/** Scrolls a new page: to its stored position when coming back, to the hash's element, else to the top. */
export function placeScroll(key: string, isReturn: boolean, hash: string): void {
  window.history.scrollRestoration = 'manual';
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
