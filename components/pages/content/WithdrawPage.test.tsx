import { screen, within } from '@testing-library/react';
import type { WithdrawProps } from '../../contracts/schema';
import { renderInShop } from '../../fixtures/renderInShop';
import { WithdrawPage } from './WithdrawPage';

const ORDER = { order: 'BADECUFIGOHAKELIMONA', email: 'ada@example.test' };

function show(props: Partial<WithdrawProps>) {
  const { container } = renderInShop(
    <WithdrawPage title="Withdraw from contract" step="enter" values={ORDER} errors={{}} {...props} />,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'Withdraw from contract' })).toBeVisible();
  const form = container.querySelector('form');
  const sent = form && { method: form.method, action: form.getAttribute('action'), ...valuesOf(form) };
  return { container, sent };
}

/** What the form posts, without script too; `do` is the value of its button. */
function valuesOf(form: HTMLFormElement) {
  return Object.fromEntries(new FormData(form, form.querySelector('button')));
}

test('the first step asks for code and address, and keeps what the address of the page names', () => {
  expect(show({ values: { ...ORDER, email: '' } }).sent).toEqual({
    method: 'post',
    action: '/withdraw',
    order: ORDER.order,
    email: '',
  });
  expect(screen.getByText('You need not give a reason, and you need not sign in.')).toBeVisible();
});

test('what is missing is said at its field', () => {
  show({ errors: { order: 'Enter the code of your order.', email: 'Enter the email address.' } });
  expect(screen.getByLabelText(/^Code of the order/)).toHaveAccessibleDescription(
    /Enter the code of your order\.$/,
  );
  expect(screen.getByLabelText(/^Email address/)).toHaveAccessibleDescription('Enter the email address.');
});

test('the second step repeats what is withdrawn from, and leads back to the first', () => {
  const { sent } = show({ step: 'confirm' });
  expect(sent).toEqual({ method: 'post', action: '/withdraw', ...ORDER, do: 'confirm' });
  const form = within(screen.getByRole('region', { name: 'Withdraw from contract' }));
  expect(form.getByText(ORDER.order)).toBeVisible();
  expect(form.getByText(ORDER.email)).toBeVisible();
  expect(form.getByRole('link', { name: 'Back' })).toHaveAttribute('href', `/withdraw?order=${ORDER.order}`);
});

test('a withdrawal that was not taken says so above the button', () => {
  show({ step: 'confirm', errors: { form: 'Nothing was sent. Try again.' } });
  expect(screen.getByRole('alert')).toHaveTextContent('Nothing was sent. Try again.');
});

test('the end says that the receipt is on its way, and has no form', () => {
  expect(show({ step: 'sent' }).sent).toBeNull();
  expect(screen.getByRole('status')).toHaveTextContent('the receipt with date and time is on its way');
});
