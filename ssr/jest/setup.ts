import '@testing-library/jest-dom';
import { format } from 'node:util';
import { configure } from '@testing-library/dom';

// An upper bound for busy machines, which passing tests never reach.
configure({ asyncUtilTimeout: 60_000 });

// React reports warnings on the console, jsdom what it does not implement: both fail the test. A test that expects
// such a line spies on console.error itself.
const unexpected: string[] = [];

const { console } = globalThis;
console.error = (...message: unknown[]) => unexpected.push(`console.error: ${format(...message)}`);
console.warn = (...message: unknown[]) => unexpected.push(`console.warn: ${format(...message)}`);

function failWhenUnexpected(): void {
  const lines = unexpected.splice(0);
  if (lines.length > 0) throw new Error(lines.join('\n'));
}

beforeEach(() => {
  globalThis.fetch = async (address) => {
    unexpected.push(`unexpected network: ${String(address)}`);
    throw new TypeError('no network in tests');
  };
});

// A test that failed under a clock of its own would stop the clock of the next one.
afterEach(() => void jest.useRealTimers());
afterEach(failWhenUnexpected);
afterAll(failWhenUnexpected);

// jsdom's performance has no timeline.
performance.getEntriesByType ??= () => [];

// jsdom has style sheets, but not these members.
if (globalThis.CSSStyleSheet) {
  CSSStyleSheet.prototype.replaceSync ??= () => undefined;
  document.adoptedStyleSheets ??= [];
}

// jsdom has the dialog element, but not its methods.
const dialog = globalThis.HTMLDialogElement?.prototype;
if (dialog && !dialog.showModal) {
  const openers = new WeakMap<HTMLDialogElement, Element | null>();
  dialog.showModal = function showModal() {
    openers.set(this, document.activeElement);
    this.open = true;
  };
  dialog.close = function close(returnValue?: string) {
    if (!this.open) return;
    this.open = false;
    if (returnValue !== undefined) this.returnValue = returnValue;
    // Browsers restore the focus unless the dialog has left the page.
    if (this.isConnected) (openers.get(this) as HTMLElement | null)?.focus();
    this.dispatchEvent(new Event('close'));
  };
}
