import { TIMES } from './storage/storageKeys';
import { readText, writeText } from './storage/storedList';
import { createStore } from './store';

/** In which zone the times of an area are written. */
export type Times = 'utc' | 'shop' | 'own';

const chosen = createStore<Times | null>(null);

function stored(): Times {
  const text = readText(TIMES);
  return text === 'shop' || text === 'own' ? text : 'utc';
}

/** What this browser has chosen; for useSyncExternalStore, whose snapshot of the server is 'utc'. */
export const times = {
  get: () => chosen.get() ?? stored(),
  set: (value: Times) => {
    writeText(TIMES, value === 'utc' ? null : value);
    chosen.set(value);
  },
  subscribe: chosen.subscribe,
};

/** The IANA name of this browser's zone. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
