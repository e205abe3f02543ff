import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { contactForm, renderInShop } from '../fixtures/renderInShop';
import { ContactForm } from './ContactForm';

const fetching = jest.fn();

beforeEach(() => {
  fetching.mockReset();
  globalThis.fetch = fetching;
});

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { ok: status < 400, status, headers: new Headers(headers), json: async () => body };
}

async function fillIn() {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(/^Name/), 'Ada');
  await user.type(screen.getByLabelText(/^Email/), 'ada@example.test');
  await user.type(screen.getByLabelText(/^Subject/), 'Payroll');
  await user.type(screen.getByLabelText(/^Message/), 'Which course comes first?');
  return user;
}

test('the form posts to the host without JavaScript', () => {
  const { container } = renderInShop(<ContactForm form={contactForm()} />);
  const form = container.querySelector('form');
  expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/contact']);
  expect([...new FormData(form ?? undefined).keys()]).toEqual([
    'name',
    'email',
    'subject',
    'message',
    'website',
  ]);
});

test('the trap is out of reach of people', () => {
  const { container } = renderInShop(<ContactForm form={contactForm()} />);
  const trap = container.querySelector('[name=website]');
  expect([trap?.getAttribute('tabindex'), trap?.getAttribute('autocomplete')]).toEqual(['-1', 'off']);
  expect(screen.getAllByRole('textbox')).toHaveLength(4);
});

test('an empty form is not sent; the first invalid field has the focus and a message', async () => {
  renderInShop(<ContactForm form={contactForm()} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send message' }));
  const name = screen.getByLabelText(/^Name/);
  expect(name).toHaveFocus();
  expect(name).toBeInvalid();
  expect(name).toHaveAccessibleDescription('Enter your name.');
  expect(fetching).not.toHaveBeenCalled();
});

test('a sent message is confirmed and the confirmation has the focus', async () => {
  fetching.mockResolvedValue(answer(200, { Status: 'success' }));
  renderInShop(<ContactForm form={contactForm()} />);
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByRole('status')).toHaveFocus();
  expect(fetching).toHaveBeenCalledTimes(1);
  expect(JSON.parse(fetching.mock.calls[0][1].body)).toEqual({
    name: 'Ada',
    email: 'ada@example.test',
    subject: 'Payroll',
    message: 'Which course comes first?',
    website: '',
  });
});

test('without a response the text stays, and the message says what to do', async () => {
  fetching.mockRejectedValue(new TypeError('no network'));
  renderInShop(<ContactForm form={contactForm()} />);
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByText(/Check your connection and press Send again/)).toBeVisible();
  expect(screen.getByLabelText(/^Message/)).toHaveValue('Which course comes first?');
});

test("the host's errors are shown at their fields", async () => {
  const problem = { title: 'Unprocessable', status: 422, errors: { email: 'This address does not exist.' } };
  fetching.mockResolvedValue(answer(422, problem));
  renderInShop(<ContactForm form={contactForm()} />);
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  const email = screen.getByLabelText(/^Email/);
  await waitFor(() => expect(email).toHaveAccessibleDescription('This address does not exist.'));
  expect(email).toHaveFocus();
});

test('too many messages: the reader learns to wait', async () => {
  fetching.mockResolvedValue(answer(429, { title: 'Too many', status: 429 }, { 'Retry-After': '600' }));
  renderInShop(<ContactForm form={contactForm()} />);
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByText(/Wait 10 minutes, .* your text is kept/)).toBeVisible();
});

test('what the host found without JavaScript is shown with what was typed', () => {
  const values = { name: 'Ada', email: 'x', subject: '', message: '' };
  renderInShop(<ContactForm form={contactForm({ values, errors: { email: 'Enter an address.' } })} />);
  expect(screen.getByLabelText(/^Name/)).toHaveValue('Ada');
  expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription('Enter an address.');
});
