import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { offerUndo } from './offerUndo';

// jsdom has no constructed style sheets.
class Sheet {
  replaceSync() {}
}

beforeAll(() => {
  Object.assign(globalThis, { CSSStyleSheet: Sheet });
  Object.assign(document, { adoptedStyleSheets: [] });
});

test('what was done can be undone, once', async () => {
  const undo = jest.fn();
  await act(() => offerUndo('Payroll Basics was retired.', undo));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
});

test('the time stands still while the focus is inside', async () => {
  await act(() => offerUndo('Tax was retired.', () => undefined));
  const button = (await screen.findByText('Tax was retired.')).querySelector('button') as HTMLElement;
  const bar = () => button.closest('.Toastify__toast')?.querySelector('.Toastify__progress-bar');
  act(() => button.focus());
  expect(bar()).toHaveStyle({ animationPlayState: 'paused' });
  act(() => button.blur());
  expect(bar()).toHaveStyle({ animationPlayState: 'running' });
  expect(bar()).toHaveStyle({ animationDuration: '10000ms' });
  fireEvent.animationEnd(bar() as Element);
});
