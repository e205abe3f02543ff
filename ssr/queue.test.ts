/** @jest-environment node */
import { RenderQueue } from './queue';

const turn = () => new Promise(setImmediate);

/** A queue, what its jobs did, and `add(name)`; cancelled jobs are named in `cancelled`. */
function recorded() {
  const queue = new RenderQueue();
  const rendered: string[] = [];
  const cancelled = new Set<string>();
  const add = (name: string) =>
    queue.add(() => {
      if (cancelled.has(name)) return false;
      rendered.push(name);
      return true;
    });
  return { queue, rendered, cancelled, add };
}

test('a job is not rendered in the turn in which it arrives', async () => {
  const { add, rendered } = recorded();
  add('a');
  expect(rendered).toEqual([]);
  await turn();
  expect(rendered).toEqual(['a']);
});

test('one job is rendered in each turn, in order', async () => {
  const { queue, add, rendered } = recorded();
  for (const name of ['a', 'b', 'c']) add(name);
  const seen: string[][] = [];
  while (queue.size > 0) {
    await turn();
    seen.push([...rendered]);
  }
  expect(seen).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
});

test('a job that is cancelled between two renders is dropped', async () => {
  const { queue, add, cancelled, rendered } = recorded();
  for (const name of ['a', 'b', 'c']) add(name);
  await turn();
  cancelled.add('b');
  await turn();
  expect([rendered, queue.size]).toEqual([['a', 'c'], 0]);
});

test('a job that comes after the queue was empty is rendered', async () => {
  const { add, rendered } = recorded();
  add('a');
  await turn();
  add('b');
  await turn();
  expect(rendered).toEqual(['a', 'b']);
});
