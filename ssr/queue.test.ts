/** @jest-environment node */
import { RenderQueue } from './queue';

const turn = () => new Promise(setImmediate);

/** A queue, what its jobs did, and `add(name)`; a render takes `renderMs`, cancelled jobs are named in `cancelled`. */
function recorded(renderMs: number) {
  let now = 0;
  const queue = new RenderQueue(() => now);
  const rendered: string[] = [];
  const cancelled = new Set<string>();
  const add = (name: string) =>
    queue.add(() => {
      if (cancelled.has(name)) return;
      now += renderMs;
      rendered.push(name);
    });
  return { queue, rendered, cancelled, add };
}

test('a job is not rendered in the turn in which it arrives', async () => {
  const { add, rendered } = recorded(20);
  add('a');
  expect(rendered).toEqual([]);
  await turn();
  expect(rendered).toEqual(['a']);
});

test.each([
  [20, ['a', 'ab', 'abc', 'abcd']],
  [5, ['ab', 'abcd']],
  [1, ['abcd']],
])('renders of %i ms share turns of 10 ms, in order', async (renderMs, turns) => {
  const { queue, add, rendered } = recorded(renderMs);
  for (const name of 'abcd') add(name);
  const seen: string[] = [];
  while (queue.size > 0) {
    await turn();
    seen.push(rendered.join(''));
  }
  expect(seen).toEqual(turns);
});

test('a job that is cancelled between two renders is dropped', async () => {
  const { queue, add, cancelled, rendered } = recorded(20);
  for (const name of ['a', 'b', 'c']) add(name);
  await turn();
  cancelled.add('b');
  await turn();
  expect([rendered, queue.size]).toEqual([['a', 'c'], 0]);
});

test('a job that comes after the queue was empty is rendered', async () => {
  const { add, rendered } = recorded(20);
  add('a');
  await turn();
  add('b');
  await turn();
  expect(rendered).toEqual(['a', 'b']);
});
