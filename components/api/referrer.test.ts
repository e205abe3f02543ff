import { inviterName } from './inviter';

const asked = jest.fn();

function answering(status: number, name: string) {
  globalThis.fetch = (async (_: string, { body }: RequestInit) => {
    asked(JSON.parse(String(body)));
    return new Response(JSON.stringify({ Status: 'success', Username: name }), { status });
  }) as unknown as typeof fetch;
}

beforeEach(() => {
  asked.mockReset();
  window.sessionStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = 'Stunum=S-1; path=/';
});

test('the inviter is asked for once in a session', async () => {
  answering(200, 'Ada L.');
  expect([await inviterName(), await inviterName()]).toEqual(['Ada L.', 'Ada L.']);
  expect(asked.mock.calls).toEqual([[{ Stunum: 'S-1' }]]);
});

test('a number nobody has greets nobody, and is not asked for again', async () => {
  answering(200, '');
  expect([await inviterName(), await inviterName(), asked.mock.calls.length]).toEqual(['', '', 1]);
});

test('a failure greets nobody, and the next page asks again', async () => {
  answering(503, '');
  expect([await inviterName(), await inviterName(), asked.mock.calls.length]).toEqual(['', '', 2]);
});

test('without a student’s link nothing is asked', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = 'Stunum=; max-age=0; path=/';
  expect([await inviterName(), asked.mock.calls.length]).toEqual(['', 0]);
});
