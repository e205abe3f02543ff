/** The time of day of an ISO time in the visitor's time zone, "9:05 AM"; rendered in the browser only. */
export function timeText(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(iso));
}

/** An ISO time in the visitor's time zone, "March 4, 2026 at 9:05 AM"; rendered in the browser only. */
export function dateTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));
}
