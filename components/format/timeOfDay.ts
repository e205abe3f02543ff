/** An ISO time as time of day in the visitor's time zone, "9:05"; rendered in the browser only. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  return `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;
}
