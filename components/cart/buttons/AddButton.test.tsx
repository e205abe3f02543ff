import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FormEvent } from 'react';
import { renderToString } from 'react-dom/server';
import { COURSE, resetBrowser, wireLine, writeStored } from '../../fixtures/cartServer';
import { renderInShop } from '../../fixtures/renderInShop';
import { loadCart } from '../store/cartStore';
import { onRouteChange, openPanel, setCounter, useCounter, usePanel } from '../store/panelStore';
import { AddButton } from './AddButton';
import { CartButton } from './CartButton';
import { WideAddButton } from './WideAddButton';

beforeEach(resetBrowser);

test('the count follows the stored cart and is announced when it changes', async () => {
  loadCart();
  renderInShop(<CartButton />);
  expect(screen.getByRole('link', { name: 'Cart' })).toHaveAttribute('href', '/cart');
  expect(document.querySelector('[aria-live]')).toBeEmptyDOMElement();
  writeStored('cart_products', [wireLine({ orderQuantity: 3 })]);
  act(() => void loadCart());
  expect(screen.getByRole('link', { name: 'Cart 3 items' })).toBeVisible();
  expect(document.querySelector('[aria-live]')).toHaveTextContent('3 items in your cart');
});

test('the server renders the same for everyone, with any stored cart', () => {
  writeStored('cart_products', [wireLine()]);
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

test.each(['card', 'wide'] as const)(
  'a product in the cart has a link to it that adds nothing (%s)',
  (variant) => {
    writeStored('cart_products', [wireLine()]);
    loadCart();
    const Button = variant === 'card' ? AddButton : WideAddButton;
    renderInShop(<Button product={COURSE} />);
    expect(screen.queryByRole('button')).toBeNull();
    const link = screen.getByRole('link', {
      name: variant === 'card' ? 'In cart: Payroll Basics' : 'In your cart',
    });
    expect(link).toHaveTextContent(variant === 'card' ? 'In cart' : 'In your cart');
    expect(link).toHaveAttribute('href', '/cart');
    // Only a press moves the focus.
    expect(document.body).toHaveFocus();
  },
);

test('a second press at once follows no link, but whoever went on to the checkout by keyboard follows it', async () => {
  loadCart();
  renderInShop(<WideAddButton product={COURSE} />);
  const followed: boolean[] = [];
  const note = (event: Event) => {
    followed.push(!event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener('click', note);
  const click = (element: HTMLElement, detail: number) =>
    act(
      () => void element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail })),
    );
  click(screen.getByRole('button', { name: 'Add to cart' }), 1);
  const checkout = await screen.findByRole('link', { name: 'Check out' });
  click(checkout, 2);
  click(screen.getByRole('link', { name: 'In your cart' }), 0);
  click(checkout, 0);
  document.removeEventListener('click', note);
  expect(followed).toEqual([false, false, false, true]);
});

test('a free course is enrolled in by the form of its list, without script and without the cart', async () => {
  const posted: [string, FormDataEntryValue][] = [];
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    posted.push(...new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter));
  };
  loadCart();
  renderInShop(
    <form onSubmit={onSubmit}>
      <AddButton product={{ ...COURSE, price: 0 }} />
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Enrol for free: Payroll Basics' }));
  expect(posted).toEqual([['enrol', `${COURSE.id}`]]);
  expect(screen.queryByRole('link', { name: /In cart/ })).toBeNull();
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

test('the link to the cart says that it opens a dialog; on /cart it opens none', () => {
  loadCart();
  renderInShop(<CartButton />);
  const link = screen.getByRole('link', { name: 'Cart' });
  expect(link).toHaveAttribute('aria-haspopup', 'dialog');
  window.history.replaceState(null, '', '/cart');
  writeStored('cart_products', [wireLine()]);
  act(() => void loadCart());
  expect(link).not.toHaveAttribute('aria-haspopup');
  window.history.replaceState(null, '', '/');
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
