import { resetBrowser, setCookie, signIn } from '../../fixtures/cartServer';
import { ApiProblem } from '../client';
import { createMutationQueue } from './mutationQueue';

type Numbers = Record<string, number>;

/** Calls that are answered when the test says so. */
function calls() {
  const waiting: { name: string; answer: (value: unknown) => void; fail: (problem: unknown) => void }[] = [];
  const send = (name: string) => () =>
    new Promise<unknown>((answer, fail) => {
      waiting.push({ name, answer, fail });
    });
  return { waiting, send, names: () => waiting.map(({ name }) => name) };
}

const put = (name: string, value: number) => (state: Numbers) => ({ ...state, [name]: value });
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  resetBrowser();
  signIn(7);
});

test('one call is under way at a time; what was pressed is shown at once', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  const first = queue.add({ subject: 'a', kind: 'put', apply: put('a', 1), send: send('a') });
  void queue.add({ subject: 'b', kind: 'put', apply: put('b', 2), send: send('b') });
  expect([names(), queue.project({ a: 0, b: 0 })]).toEqual([['a'], { a: 1, b: 2 }]);
  waiting[0]?.answer('done');
  expect(await first).toBe('done');
  expect([names(), queue.project({ a: 0, b: 0 })]).toEqual([['a', 'b'], { a: 0, b: 2 }]);
});

test('of the presses that wait only the last is sent', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  const results = [1, 2, 3, 4].map((value) =>
    queue.add({ subject: 'a', kind: 'put', apply: put('a', value), send: send(`a${value}`) }),
  );
  waiting[0]?.answer('first');
  await settle();
  waiting[1]?.answer('last');
  expect([await Promise.all(results), names()]).toEqual([
    ['first', null, null, 'last'],
    ['a1', 'a4'],
  ]);
});

test('a press does not pass an earlier one of another kind on the same subject', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  for (const kind of ['busy', 'put', 'remove', 'put'])
    void queue.add({ subject: 'a', kind, send: send(kind) });
  for (let sent = 0; sent < 4; sent += 1) {
    waiting[sent]?.answer('');
    await settle();
  }
  expect(names()).toEqual(['busy', 'put', 'remove', 'put']);
});

test('a failure takes back its own change and no other', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send } = calls();
  const failing = queue.add({ subject: 'a', kind: 'put', apply: put('a', 1), send: send('a') });
  void queue.add({ subject: 'b', kind: 'put', apply: put('b', 2), send: send('b') });
  waiting[0]?.fail(new ApiProblem({ status: 503, title: 'No' }));
  await expect(failing).rejects.toMatchObject({ status: 503 });
  expect(queue.project({ a: 0, b: 0 })).toEqual({ a: 0, b: 2 });
});

test('the answer is stored before its change ends: the state shown never goes back in between', async () => {
  let confirmed: Numbers = { a: 0 };
  const shown: Numbers[] = [];
  const queue = createMutationQueue<Numbers>(() => shown.push(queue.project(confirmed)));
  const { waiting, send } = calls();
  const confirm = () => {
    confirmed = { a: 1 };
  };
  const change = queue.add({ subject: 'a', kind: 'put', apply: put('a', 1), send: send('a'), confirm });
  waiting[0]?.answer('');
  await change;
  expect(shown).toEqual([{ a: 1 }, { a: 1 }]);
});

test('another learner sees and sends nothing of the one before, whose answers come to nothing', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  const confirm = jest.fn();
  const changes = ['a', 'b'].map((subject) =>
    queue.add({ subject, kind: 'put', apply: put(subject, 1), send: send(subject), confirm }),
  );
  signIn(8);
  waiting[0]?.answer('late');
  expect(await Promise.all(changes)).toEqual([null, null]);
  expect([names(), confirm.mock.calls, queue.project({})]).toEqual([['a'], [], {}]);
});

test('a sign-in that another tab changed unnoticed counts before the next call', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  const changes = ['a', 'b'].map((subject) => queue.add({ subject, kind: 'put', send: send(subject) }));
  setCookie('userInfo=; max-age=0');
  waiting[0]?.answer('');
  expect([await Promise.all(changes), names()]).toEqual([[null, null], ['a']]);
});

test('a 401 ends the sign-in, and with it the changes that wait', async () => {
  const queue = createMutationQueue<Numbers>();
  const { waiting, send, names } = calls();
  const failing = queue.add({ subject: 'a', kind: 'put', send: send('a') });
  const other = queue.add({ subject: 'b', kind: 'put', send: send('b') });
  waiting[0]?.fail(new ApiProblem({ status: 401, title: 'No' }));
  await expect(failing).rejects.toMatchObject({ status: 401 });
  expect([await other, names(), document.cookie]).toEqual([null, ['a'], '']);
});

test('when the page is left, what waits is sent without waiting', () => {
  const queue = createMutationQueue<Numbers>();
  const { send, names } = calls();
  for (const subject of ['a', 'b', 'c']) void queue.add({ subject, kind: 'put', send: send(subject) });
  window.dispatchEvent(new Event('pagehide'));
  expect(names()).toEqual(['a', 'b', 'c']);
});
