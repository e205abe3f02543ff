import { SESSION_KEYS } from './storageKeys';
import { readTab, readTabValue, writeTab } from './tabStorage';

type Fields = Record<string, string>;

// Without session storage, memory holds the drafts as long as the page lives.
let memory: Fields = {};
let flowMemory = '';

/** The values typed in the identity forms of this tab: names and addresses, never a password, answer or code. */
export function storedDrafts(): Fields {
  const value = readTabValue(SESSION_KEYS.drafts);
  if (typeof value !== 'object' || value === null) return memory;
  const texts = Object.entries(value).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(texts) as Fields;
}

export function saveDrafts(fields: Fields): void {
  memory = { ...storedDrafts(), ...fields };
  writeTab(SESSION_KEYS.drafts, JSON.stringify(memory));
}

export function clearDrafts(): void {
  memory = {};
  writeTab(SESSION_KEYS.drafts, null);
}

/** The open flow of this tab; "" without one. */
export function storedFlow(): string {
  return readTab(SESSION_KEYS.flow) ?? flowMemory;
}

export function saveFlow(flow: string | null): void {
  flowMemory = flow ?? '';
  writeTab(SESSION_KEYS.flow, flow);
}
