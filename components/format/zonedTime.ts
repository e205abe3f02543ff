const MINUTE_MS = 60_000;

/** "2026-03-29T09:30" as clocks of the zone show the instant: the form of an input of the type datetime-local. */
export function localText(instant: string, zone: string): string {
  return isoMinutes(wallClock(Date.parse(instant), zone));
}

/**
 * The instant, ISO 8601 in UTC, at which clocks of the zone show this text; null for no such text. A time that clocks
 * skip is taken as that much later, of a time that they show twice the first is meant.
 */
export function instantOf(text: string, zone: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return null;
  const shown = Date.parse(`${text.slice(0, 16)}Z`);
  if (Number.isNaN(shown)) return null;
  // The offset changes at most once within a day.
  const offsets = [-1, 1].map((days) => offsetAt(shown + days * 24 * 60 * MINUTE_MS, zone));
  const candidates = offsets.map((offset) => shown - offset).sort((a, b) => a - b);
  const exact = candidates.find((instant) => wallClock(instant, zone) === shown);
  return new Date(exact ?? Math.max(...candidates)).toISOString();
}

const offsetAt = (instant: number, zone: string) => wallClock(instant, zone) - instant;

/** What clocks of the zone show at an instant, as an ISO time that writers of UTC take. */
export const clockIn = (instant: string, zone: string) =>
  new Date(wallClock(Date.parse(instant), zone)).toISOString();

const clocks = new Map<string, Intl.DateTimeFormat>();

// Making one takes longer than all else: lists write a hundred times.
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

/** What clocks of the zone show, as if it were UTC; to the minute. */
function wallClock(instant: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(instant);
  const part = (kind: string) => Number(parts.find(({ type }) => type === kind)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

const isoMinutes = (time: number) => new Date(time).toISOString().slice(0, 16);
