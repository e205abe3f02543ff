import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import type * as Browser from '../../browser/navigation';
import { saveSession } from '../../browser/session/session';
import {
  COURSE,
  holdServer,
  mockToasts,
  readStored,
  resetBrowser,
  signIn,
  toasts,
  wireLine,
  writeStored,
} from '../../fixtures/cartServer';
import { renderInShop } from '../../fixtures/renderInShop';
import { SESSION } from '../../fixtures/session';
import type * as Buy from './BuyButton';

const left: string[] = [];
jest.doMock('../../ui/toasts/toasts', mockToasts);
jest.doMock('../../browser/navigation', () => ({
  ...jest.requireActual<typeof Browser>('../../browser/navigation'),
  leaveFor: (address: string) => {
    left.push(address);
    // The browser keeps the page while the next one loads.
    return new Promise(() => undefined);
  },
}));
const { BuyButton } = jest.requireActual<typeof Buy>('./BuyButton');
const { loadCart } = jest.requireActual<typeof import('../store/cartStore')>('../store/cartStore');

beforeEach(() => {
  left.length = 0;
  resetBrowser();
  act(() => void loadCart());
});

const press = () => userEvent.dblClick(screen.getByRole('button', { name: 'Buy now' }));

test('without script it posts the course, and the checkout follows', () => {
  const place = document.createElement('div');
  place.innerHTML = renderToString(<BuyButton product={COURSE} />);
  const form = place.querySelector('form');
  expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/cart']);
  const sent = new FormData(form ?? undefined, form?.querySelector('button'));
  expect([...sent]).toEqual([
    ['do', 'buy'],
    ['id', '1'],
  ]);
});

test('a guest’s press puts the course in the cart and leads to the checkout, once', async () => {
  renderInShop(<BuyButton product={COURSE} />);
  await press();
  expect([readStored(), left, toasts]).toEqual([[wireLine()], ['/checkout'], []]);
  // It stays until the page is left: nothing else moves below the pointer.
  expect(screen.getByRole('button', { name: 'To the checkout…' })).toBeVisible();
});

test('a learner goes on once the account has it, and stays where it is refused', async () => {
  signIn(7);
  const calls = holdServer();
  renderInShop(<BuyButton product={COURSE} />);
  await press();
  expect([calls.length, left]).toEqual([1, []]);
  await act(async () => calls[0]?.answer({ Status: 'failed', Message: 'You own this course already.' }));
  expect(toasts).toEqual(['error: You own this course already.']);
  expect(screen.getByRole('button', { name: 'Buy now' })).toBeVisible();
  await press();
  await act(async () => calls[1]?.answer({ Status: 'success', Message: '' }));
  expect(left).toEqual(['/checkout']);
});

test('what is in the cart or owned has no such button', () => {
  writeStored('cart_products', [wireLine()]);
  act(() => void loadCart());
  const { container } = renderInShop(<BuyButton product={COURSE} />);
  expect(container.querySelector('button')).toBeNull();
  writeStored('cart_products', []);
  act(() => void loadCart());
  expect(screen.getByRole('button', { name: 'Buy now' })).toBeVisible();
  act(() => signIn(7));
  act(() => saveSession({ ...SESSION, owned: [COURSE.id] }, 't'));
  expect(container.querySelector('button')).toBeNull();
});
