import { act, screen, waitForElementToBeRemoved } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ToastKind } from './Toaster';
import { notify } from './toasts';

// jsdom has no constructed style sheets.
class Sheet {
  text = '';
  replaceSync(text: string) {
    this.text = text;
  }
}

beforeAll(() => {
  Object.assign(globalThis, { CSSStyleSheet: Sheet });
  Object.assign(document, { adoptedStyleSheets: [] });
});

function adopted(): Sheet[] {
  return document.adoptedStyleSheets as unknown as Sheet[];
}

test('before the first toast nothing of it is in the document', () => {
  expect([document.body.childElementCount, adopted()]).toEqual([0, []]);
});

test('the first toast brings its mount and its style sheet, the second uses them', async () => {
  await act(() => notify('success', 'Payroll Basics added to cart'));
  await act(() => notify('info', 'Decrement Quantity For Payroll Basics'));
  expect(await screen.findByText('Payroll Basics added to cart')).toBeInTheDocument();
  expect(await screen.findByText('Decrement Quantity For Payroll Basics')).toBeInTheDocument();
  expect([document.body.childElementCount, adopted().map((sheet) => sheet.text)]).toEqual([
    1,
    ['/* styles */'],
  ]);
});

test.each<[ToastKind, string]>([
  ['info', 'status'],
  ['success', 'status'],
  ['warning', 'status'],
  ['error', 'alert'],
])('%s is announced as %s', async (kind, role) => {
  await act(() => notify(kind, `This is ${kind}`));
  expect((await screen.findByText(`This is ${kind}`)).closest(`[role=${role}]`)).not.toBeNull();
});

test('toasts are shown at the top centre for 3000 ms, with a progress bar', async () => {
  await act(() => notify('info', 'Timed'));
  const toast = (await screen.findByText('Timed')).closest('.Toastify__toast') as HTMLElement;
  expect(toast.closest('.Toastify__toast-container--top-center')).not.toBeNull();
  const bar = toast.querySelector<HTMLElement>('[role=progressbar]');
  expect(bar?.style.animationDuration).toBe('3000ms');
  expect(bar).not.toHaveClass('Toastify__progress-bar--hidden');
});

test('the pointer holds the time', async () => {
  await act(() => notify('info', 'Held'));
  const toast = (await screen.findByText('Held')).closest('.Toastify__toast') as HTMLElement;
  const state = () => toast.querySelector<HTMLElement>('[role=progressbar]')?.style.animationPlayState;
  await userEvent.hover(toast);
  expect(state()).toBe('paused');
  await userEvent.unhover(toast);
  expect(state()).toBe('running');
});

test('a click closes', async () => {
  await act(() => notify('info', 'Closing'));
  const text = await screen.findByText('Closing');
  const gone = waitForElementToBeRemoved(text);
  await userEvent.click(text);
  const toast = text.closest('.Toastify__toast') as HTMLElement;
  // jsdom runs no animations: the test dispatches the end of the closing one.
  act(() => void toast.dispatchEvent(new Event('animationend', { bubbles: true })));
  await gone;
  expect(screen.queryByText('Closing')).toBeNull();
});
