import { SESSION_KEYS } from './storageKeys';

type Fields = Record<string, string>;

// Without session storage, memory holds the drafts as long as the page lives.
let memory: Fields = {};
let flowMemory = '';

/** The values typed in the identity forms of this tab: names and addresses, never a password, answer or code. */
export function storedDrafts(): Fields {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(SESSION_KEYS.drafts) ?? 'null');
    if (typeof value !== 'object' || value === null) return memory;
    const texts = Object.entries(value).filter(([, text]) => typeof text === 'string');
    return Object.fromEntries(texts) as Fields;
  } catch {
    return memory;
  }
}

export function saveDrafts(fields: Fields): void {
  memory = { ...storedDrafts(), ...fields };
  write(SESSION_KEYS.drafts, JSON.stringify(memory));
}

export function clearDrafts(): void {
  memory = {};
  write(SESSION_KEYS.drafts, null);
}

/** The open flow of this tab; "" without one. */
export function storedFlow(): string {
  try {
    return window.sessionStorage.getItem(SESSION_KEYS.flow) ?? flowMemory;
  } catch {
    return flowMemory;
  }
}

export function saveFlow(flow: string | null): void {
  flowMemory = flow ?? '';
  write(SESSION_KEYS.flow, flow);
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // Refused or full: the copy in memory remains.
  }
}
