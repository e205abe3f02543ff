import type { LocaleForms } from '../contracts/schema';
import { isolated } from '../model/isolated';
import { dayWriter, filled, ownDigits } from './localeText';

/** An ISO time as "9:05 AM" in the visitor's time zone; rendered in the browser only. */
export function timeText(iso: string, forms: LocaleForms): string {
  const at = new Date(iso);
  return isolated(clockText(at.getHours() * 60 + at.getMinutes(), forms.time, forms));
}

/** An ISO time in the visitor's time zone, "March 4, 2026 at 9:05 AM"; rendered in the browser only. */
export function dateTime(iso: string, forms: LocaleForms): string {
  const at = new Date(iso);
  return momentText(at.getTime() - at.getTimezoneOffset() * 60_000, forms);
}

/** What a clock shows, given as if it were UTC. */
export function momentText(clock: number, forms: LocaleForms): string {
  const at = new Date(clock);
  const text = filled(forms.moment, {
    date: dayWriter(forms.day, forms.months, forms.zero)(at.toISOString()),
    time: clockText(at.getUTCHours() * 60 + at.getUTCMinutes(), forms.time, forms),
  });
  return isolated(text);
}

/** Minutes since midnight by a pattern whose {h} and {hh} count to 23 and {k} and {kk} to 12. */
export function clockText(
  minutes: number,
  pattern: string,
  { zero, periods }: Pick<LocaleForms, 'zero' | 'periods'>,
): string {
  const hour = Math.floor(minutes / 60);
  const digits = (value: number, least: number) => ownDigits(String(value).padStart(least, '0'), zero);
  const current = Object.keys(periods).findLast((from) => Number(from) <= hour) ?? '';
  return filled(pattern, {
    h: digits(hour, 1),
    hh: digits(hour, 2),
    k: digits(hour % 12 || 12, 1),
    kk: digits(hour % 12 || 12, 2),
    mm: digits(minutes % 60, 2),
    period: periods[current] ?? '',
  });
}
