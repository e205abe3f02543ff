import { listen } from './windowEvents';

type Handlers = {
  onNavigate: (address: string) => void;
  onIntent: (address: string) => void;
  isFullLoad: () => boolean;
};

/** An element in a browser that may have no popovers, in which their selectors are errors. */
type MaybePopover = { hidePopover?: () => void };

// A pointer that only passes over a link leaves it sooner.
const INTENT_MS = 65;

/**
 * One set of listeners for every link and GET form of the document: same-site links become client navigation,
 * hovering or focusing one announces the intent, and an open popover closes when it is left. Returns a function that
 * removes them.
 */
export function watchLinks({ onNavigate, onIntent, isFullLoad }: Handlers): () => void {
  let timer = 0;
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const address = pageAddress(event);
    if (address === null || isFullLoad()) return;
    event.preventDefault();
    // The page around an open popover stays until the next one is there.
    if ((document.body as MaybePopover).hidePopover)
      document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    onNavigate(address);
  };
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.method !== 'get' || form.dataset.navigate === undefined || isFullLoad()) return;
    event.preventDefault();
    onNavigate(addressOfForm(form));
  };
  const onOver = (event: Event) => {
    window.clearTimeout(timer);
    const address = pageAddress(event);
    // A search is recorded in the query log: hovering over its link must not count.
    if (address !== null && !address.startsWith('/search') && !savesData())
      timer = window.setTimeout(() => onIntent(address), INTENT_MS);
  };
  const stops = [
    listen(document, 'click', onClick),
    listen(document, 'submit', onSubmit),
    listen(document, 'pointerover', onOver),
    listen(document, 'focusin', onOver),
    listen(document, 'focusin', leavePopover),
  ];
  return () => {
    window.clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/**
 * Closes the open popover when the focus goes on outside it, which it would cover. The button that opens it belongs to
 * it.
 */
function leavePopover({ target }: Event): void {
  const panel =
    (document.body as MaybePopover).hidePopover &&
    document.querySelector<HTMLElement>(':popover-open:not(:focus-within)');
  if (panel && (target as HTMLButtonElement).popoverTargetElement !== panel) panel.hidePopover();
}

function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

/** Path, query and hash of the same-site page that the event's link leads to; null for everything else. */
function pageAddress(event: Event): string | null {
  // Not from the event's target: a translation in the link may have left the page by now.
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || isFile(url.pathname)) return null;
  // The browser handles a jump within the page.
  if (url.hash && url.pathname + url.search === window.location.pathname + window.location.search)
    return null;
  return url.pathname + url.search + url.hash;
}

function isFile(path: string): boolean {
  return /^\/(?:api|data|documents|static|pictures)\//.test(path) || /\.(?:xml|txt|json)$/.test(path);
}

function addressOfForm(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value !== '') query.append(name, value);
  }
  const path = new URL(form.action).pathname;
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
