import { act, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import {
  mockServer,
  mockToasts,
  quotedLine,
  resetBrowser,
  serverCart,
  wireLine,
  writeStored,
} from '../fixtures/cartServer';
import { renderInShop } from '../fixtures/renderInShop';
import { loadCart } from './store/cartStore';
import { closePanel, openPanel } from './store/panelStore';

jest.doMock('../ui/toasts/toasts', mockToasts);
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
const { CartPanel } = jest.requireActual<{ CartPanel: ComponentType }>('./CartPanel');
const { CartView } = jest.requireActual<{ CartView: ComponentType }>('./CartView');

beforeEach(resetBrowser);
afterEach(() => act(async () => closePanel()));

async function show(View: ComponentType) {
  mockServer({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  openPanel();
  loadCart();
  await act(async () => renderInShop(<View />));
}

const links = () =>
  screen.queryAllByRole('link', { name: 'Check out' }).map((link) => link.getAttribute('href'));

test.each([
  ['the panel', CartPanel],
  ['the page', CartView],
])('%s of a cart leads to the checkout, that of an empty one does not', async (_name, View) => {
  await show(View);
  expect(links()).toEqual([]);
  writeStored('cart_products', [wireLine()]);
  await act(async () => loadCart());
  expect(links()).toEqual(['/checkout']);
});
