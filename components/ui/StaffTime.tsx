import { useSyncExternalStore } from 'react';
import { useArea } from '../api/site';
import { ownZone, type Times, times } from '../browser/timeZone';
import { clockIn } from '../format/zonedTime';

export type Zone = {
  /** IANA name, such as "Europe/Berlin". */
  id: string;
  /** What headings say: "Berlin". */
  name: string;
};

const UTC = 'UTC';

/** "America/New_York" as "New York". */
export const zoneName = (id: string) => id.split('/').at(-1)?.replaceAll('_', ' ') || UTC;

/** What is chosen, UTC until the page is hydrated: the server does not know it. */
export const useTimes = (): Times => useSyncExternalStore(times.subscribe, times.get, () => 'utc' as const);

/** The zone in which this page writes times. */
export function useZone(): Zone {
  const shop = useArea()?.timeZone ?? UTC;
  const ids = { utc: () => UTC, shop: () => shop, own: ownZone };
  const id = ids[useTimes()]();
  return { id, name: zoneName(id) };
}

type StaffTimeProps = {
  /** ISO 8601 in UTC. */
  at: string;
  /** Writes what clocks of UTC show. */
  format: (iso: string) => string;
};

/** A time in the chosen zone; in another one than UTC the pointer and screen readers get that too. */
export function StaffTime({ at, format }: StaffTimeProps) {
  const zone = useZone();
  const utc = format(at);
  if (zone.id === UTC) return <time dateTime={at}>{utc}</time>;
  return (
    <time dateTime={at} title={`${utc} UTC`}>
      {format(clockIn(at, zone.id))}
      <span className="sr-only">{`, ${utc} UTC`}</span>
    </time>
  );
}
