import { newUuid } from '../../model/uuid';
import { SESSION_KEYS } from './storageKeys';

const KEY = SESSION_KEYS.session;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let inMemory: string | null = null;

/** The session's UUID v4: created when missing or malformed, in memory where session storage is refused. */
export function sessionId(): string {
  const stored = read();
  if (stored && UUID.test(stored)) return stored;
  if (inMemory === null || stored !== null) inMemory = newUuid();
  write(inMemory);
  return inMemory;
}

function read(): string | null {
  try {
    return window.sessionStorage.getItem(KEY);
  } catch {
    return inMemory;
  }
}

function write(value: string): void {
  try {
    window.sessionStorage.setItem(KEY, value);
  } catch {
    // Refused or full: the module holds it as long as the page lives.
  }
}
