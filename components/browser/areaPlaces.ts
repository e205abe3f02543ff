import { currentAddress } from './address';
import { PLACES } from './storage/storageKeys';
import { readTabValue, writeTab } from './storage/tabStorage';
import { listen } from './windowEvents';

/** How a page was left: how far it was scrolled, and which of its `count` parts that open and close were open. */
type Place = { top: number; open: number[]; count: number };

const MAX_PLACES = 50;
// The entry of the history that a document was loaded with has no key.
const FIRST_ENTRY = 'default';

let places: Record<string, Place> | null = null;
// The entry of the page on screen: the history is at the next one while that is loaded.
let shownEntry = '';
// The place to which this document has still to scroll: its content comes after the check of the sign-in.
let isAwaited = true;

/** Stores where pages of areas are left, until it is stopped. */
export function rememberPlaces(): () => void {
  const record = () => {
    if (!shownEntry) return;
    const parts = openable();
    const open = parts.flatMap((part, index) => (part.open ? [index] : []));
    allPlaces()[shownEntry] = { top: window.scrollY, open, count: parts.length };
  };
  const onToggle = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement) record();
  };
  const save = () => {
    record();
    // Without storage, places last as long as the document.
    writeTab(PLACES, JSON.stringify(Object.fromEntries(Object.entries(allPlaces()).slice(-MAX_PLACES))));
  };
  // The event does not bubble.
  document.addEventListener('toggle', onToggle, true);
  const stopSaving = listen(window, 'pagehide', save);
  return () => {
    document.removeEventListener('toggle', onToggle, true);
    stopSaving();
  };
}

/**
 * Opens the parts of the page on screen that were open when this entry of the history was left. In a document to which
 * one returns, such as from a page of the shop, it scrolls to where it was, too; within one the router does.
 */
export function returnToPlace(): void {
  shownEntry = currentEntry();
  const place = allPlaces()[shownEntry];
  const parts = openable();
  if (place?.count === parts.length) for (const index of place.open) parts[index]?.setAttribute('open', '');
  if (place && isAwaited) scrollTo(place.top);
  isAwaited = false;
}

/** Charts are as high as they stay once they have been measured. */
function scrollTo(top: number): void {
  const scroll = () => window.scrollTo({ top, behavior: 'instant' });
  scroll();
  requestAnimationFrame(scroll);
}

const openable = () => [...document.querySelectorAll<HTMLDetailsElement>('#main details')];

function currentEntry(): string {
  const { key = FIRST_ENTRY } = (window.history.state ?? {}) as { key?: string };
  return key === FIRST_ENTRY ? `${key} ${currentAddress()}` : key;
}

function allPlaces(): Record<string, Place> {
  places ??= Object.fromEntries(Object.entries(storedPlaces()).filter(([entry]) => isKnown(entry)));
  return places;
}

function storedPlaces(): Record<string, Place> {
  const value = readTabValue(PLACES);
  if (typeof value !== 'object' || value === null) return {};
  const isPlace = ({ top, open, count }: Partial<Place>) =>
    typeof top === 'number' && Array.isArray(open) && typeof count === 'number';
  return Object.fromEntries(Object.entries(value).filter(([, place]) => place && isPlace(place)));
}

/** An entry without a key that begins anew, by an address that is typed or a link of another site, is no return. */
function isKnown(entry: string): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return !entry.startsWith(`${FIRST_ENTRY} `) || (navigation?.type ?? 'navigate') !== 'navigate';
}
