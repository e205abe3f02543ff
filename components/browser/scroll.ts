const KEY = 'scroll_positions';
const MOST = 50;

let positions: Record<string, number> | null = null;

function all(): Record<string, number> {
  positions ??= stored();
  return positions;
}

/** Distrusted: whatever is no record of numbers reads as none. */
function stored(): Record<string, number> {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, y]) => typeof y === 'number'));
  } catch {
    return {};
  }
}

/** Remembers, until stopped, how far down each history entry is. `currentKey` names the entry that is on screen. */
export function rememberScroll(currentKey: () => string): () => void {
  const note = () => {
    all()[currentKey()] = window.scrollY;
  };
  const save = () => {
    note();
    try {
      const kept = Object.entries(all()).slice(-MOST);
      window.sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
    } catch {
      // Refused storage: positions live as long as the page.
    }
  };
  window.addEventListener('scroll', note, { passive: true });
  window.addEventListener('pagehide', save);
  return () => {
    window.removeEventListener('scroll', note);
    window.removeEventListener('pagehide', save);
  };
}

/** After a reload or a return by full load: where the visitor was; a first visit is left to the browser. */
export function restoreScroll(key: string): void {
  const known = all()[key];
  if (known !== undefined && key !== 'default') window.scrollTo({ top: known, behavior: 'instant' });
}

/** Where the new page begins: where it was left when coming back, the hash's element, else the top. */
export function placeScroll(key: string, isReturn: boolean, hash: string): void {
  window.history.scrollRestoration = 'manual';
  const known = isReturn ? all()[key] : undefined;
  if (known !== undefined) {
    window.scrollTo({ top: known, behavior: 'instant' });
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

/** Hands keyboard and screen reader over to the new page without moving the view. */
export function focusMain(): void {
  const main = document.getElementById('main');
  if (!main) return;
  if (!main.hasAttribute('tabindex')) main.setAttribute('tabindex', '-1');
  main.focus({ preventScroll: true });
}
