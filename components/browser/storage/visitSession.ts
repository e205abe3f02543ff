import { IN_SESSION } from './names';
import { newUuid } from './uuid';

const KEY = IN_SESSION.session;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let remembered: string | null = null;

/** The session's UUID v4: made when missing or malformed, kept in memory where session storage is refused. */
export function sessionId(): string {
  const stored = read();
  if (stored && UUID.test(stored)) return stored;
  if (remembered === null || stored !== null) remembered = newUuid();
  write(remembered);
  return remembered;
}

function read(): string | null {
  try {
    return window.sessionStorage.getItem(KEY);
  } catch {
    return remembered;
  }
}

function write(value: string): void {
  try {
    window.sessionStorage.setItem(KEY, value);
  } catch {
    // Refused or full: the module remembers it for as long as the page lives.
  }
}
