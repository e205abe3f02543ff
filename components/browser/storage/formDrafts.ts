import { IN_SESSION } from './names';

type Fields = Record<string, string>;

// Where session storage is refused, memory keeps it for as long as the page lives.
let memory: Fields = {};
let flowMemory = '';

/** What was typed in the identity forms of this tab: names and addresses, never a password, answer or code. */
export function typedFields(): Fields {
  try {
    const value: unknown = JSON.parse(window.sessionStorage.getItem(IN_SESSION.typed) ?? 'null');
    if (typeof value !== 'object' || value === null) return memory;
    const texts = Object.entries(value).filter(([, text]) => typeof text === 'string');
    return Object.fromEntries(texts) as Fields;
  } catch {
    return memory;
  }
}

export function keepTyped(fields: Fields): void {
  memory = { ...typedFields(), ...fields };
  write(IN_SESSION.typed, JSON.stringify(memory));
}

export function forgetTyped(): void {
  memory = {};
  write(IN_SESSION.typed, null);
}

/** The flow that this tab is in the middle of; "" when it began none. */
export function flowUnderWay(): string {
  try {
    return window.sessionStorage.getItem(IN_SESSION.flow) ?? flowMemory;
  } catch {
    return flowMemory;
  }
}

export function keepFlow(flow: string | null): void {
  flowMemory = flow ?? '';
  write(IN_SESSION.flow, flow);
}

function write(key: string, text: string | null): void {
  try {
    if (text === null) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, text);
  } catch {
    // Refused or full: memory has it.
  }
}
