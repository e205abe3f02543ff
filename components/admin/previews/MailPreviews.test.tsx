import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderInShop } from '../../fixtures/renderInShop';
import { MailPreviews } from './MailPreviews';

const mail = (letter: string) => ({
  ...{ case: `Case ${letter}`, subject: `Subject ${letter}`, text: `Text ${letter}` },
  ...{ html: `<p class="card">Html ${letter}</p>`, style: 'body { color: red } .card { color: blue }' },
});
const SENDING = {
  ...{
    id: 'test',
    title: 'Test',
    text: '',
    call: '/admin/mail-texts/order_paid/test',
    button: 'Send me a test',
  },
  ...{ isDangerous: false, question: null, fields: [], leadsTo: null },
};

function show(mails = [mail('a'), mail('b')]) {
  return renderInShop(
    <MailPreviews
      mails={mails}
      isFailed={false}
      test={SENDING}
      read={() => ({ version: 3, words: { greeting: 'Dear' } })}
    />,
  );
}

test('a mail has its subject, its HTML apart from the page, and its text; another case opens below', () => {
  const { container } = show();
  expect(screen.getByText('Subject a')).toBeVisible();
  const [first] = container.querySelectorAll('.mail-previews__html');
  expect(first?.shadowRoot?.innerHTML).toBe('<p class="card">Html a</p>');
  expect(container.querySelector('.card')).toBeNull();
  expect(screen.getByText('Text a')).not.toBeVisible();
  expect(screen.getByText('Case b')).toBeVisible();
  expect(screen.getByText('Subject b')).not.toBeVisible();
});

test('the test is sent in the words that are typed, and says where it goes', async () => {
  const fetching = jest.fn(async () =>
    Response.json({ text: 'A test is on its way to me@shop.test.', href: null }),
  );
  globalThis.fetch = fetching as typeof fetch;
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Send me a test' }));
  await waitFor(() => expect(fetching).toHaveBeenCalledTimes(1));
  const [path, init] = fetching.mock.calls[0] as unknown as [string, RequestInit];
  expect([path, init.body]).toEqual([
    '/api/admin/mail-texts/order_paid/test',
    '{"words":{"greeting":"Dear"}}',
  ]);
});
