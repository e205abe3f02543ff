import '@testing-library/jest-dom';
import { format } from 'node:util';

// React tells of its warnings here, jsdom of what it cannot do: both fail the test. One that expects such a line
// spies on console.error itself.
const unexpected: string[] = [];

const { console } = globalThis;
console.error = (...said: unknown[]) => unexpected.push(`console.error: ${format(...said)}`);
console.warn = (...said: unknown[]) => unexpected.push(`console.warn: ${format(...said)}`);

function failWhenUnexpected(): void {
  const found = unexpected.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
}

beforeEach(() => {
  globalThis.fetch = async (address) => {
    unexpected.push(`unexpected network: ${String(address)}`);
    throw new TypeError('no network in tests');
  };
});

afterEach(failWhenUnexpected);
afterAll(failWhenUnexpected);

// jsdom knows the dialog element, but not how to open it.
const dialog = globalThis.HTMLDialogElement?.prototype;
if (dialog && !dialog.showModal) {
  dialog.showModal = function showModal() {
    this.open = true;
  };
  dialog.close = function close(answer?: string) {
    if (!this.open) return;
    this.open = false;
    if (answer !== undefined) this.returnValue = answer;
    this.dispatchEvent(new Event('close'));
  };
}
