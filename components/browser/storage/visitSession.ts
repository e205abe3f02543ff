import { newUuid } from '../../model/uuid';
import { SESSION_KEYS } from './storageKeys';
import { readTab, writeTab } from './tabStorage';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let inMemory: string | null = null;

/** The session's UUID v4: created when missing or malformed, in memory where session storage is refused. */
export function sessionId(): string {
  const stored = readTab(SESSION_KEYS.session);
  if (stored && UUID.test(stored)) return stored;
  if (inMemory === null || stored !== null) inMemory = newUuid();
  writeTab(SESSION_KEYS.session, inMemory);
  return inMemory;
}
