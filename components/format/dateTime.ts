/** An ISO time in the visitor's time zone, "March 4, 2026 at 9:05 AM"; rendered in the browser only. */
export function dateTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));
}
