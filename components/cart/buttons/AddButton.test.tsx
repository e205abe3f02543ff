import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { renderInShop } from '../ui/factories';
import { AddButton } from './AddButton';
import { CartButton } from './CartButton';
import { loadCart } from './cartStore';
import { COURSE, forgetEverything, keep, wireLine } from './factories';
import { onRouteChange, openPanel, setCounter, useCounter, usePanel } from './panelStore';

beforeEach(forgetEverything);

test('the count follows what is kept, and is told when it changes', async () => {
  loadCart();
  renderInShop(<CartButton />);
  expect(screen.getByRole('link', { name: 'Cart' })).toHaveAttribute('href', '/cart');
  expect(document.querySelector('[aria-live]')).toBeEmptyDOMElement();
  keep('cart_products', [wireLine({ orderQuantity: 3 })]);
  act(() => void loadCart());
  expect(screen.getByRole('link', { name: 'Cart 3 items' })).toBeVisible();
  expect(document.querySelector('[aria-live]')).toHaveTextContent('3 items in your cart');
});

test('the server draws the same for everyone, whatever the browser keeps', () => {
  keep('cart_products', [wireLine()]);
  loadCart();
  const html = renderToString(
    <>
      <CartButton />
      <AddButton product={COURSE} />
    </>,
  );
  expect(html).not.toContain('cart-button__count');
  expect(html).toContain('>Add to cart<');
});

test('what is in the cart is said on its button, whose name begins with what it shows', () => {
  keep('cart_products', [wireLine()]);
  loadCart();
  renderInShop(<AddButton product={COURSE} />);
  expect(screen.getByRole('button', { name: 'In cart: Payroll Basics' })).toHaveTextContent('In cart');
});

test('a route change closes the panel and sets the counter to 1', async () => {
  const State = () => `${usePanel() ? 'open' : 'closed'} ${useCounter()}`;
  renderInShop(<State />);
  act(() => {
    openPanel();
    setCounter(5);
  });
  expect(screen.getByText('open 5')).toBeVisible();
  act(onRouteChange);
  expect(screen.getByText('closed 1')).toBeVisible();
});

test('with a key held down the cart’s link is an ordinary link', async () => {
  loadCart();
  renderInShop(<CartButton />);
  const followed = jest.fn((event: Event) => event.preventDefault());
  document.addEventListener('click', followed, { once: true });
  const user = userEvent.setup();
  await user.keyboard('{Control>}');
  await user.click(screen.getByRole('link', { name: 'Cart' }));
  expect(followed).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});
