import { act, renderHook } from '@testing-library/react';
import { useTypedPreview } from './useTypedPreview';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

type Answer = { resolve: (found: string) => void; reject: (cause: Error) => void };

/** A preview of "old"; what is typed, and the answers that the host still owes, by text. */
function typing() {
  const owed = new Map<string, Answer>();
  const ask = (text: string) =>
    text === ''
      ? null
      : new Promise<string>((resolve, reject) => {
          owed.set(text, { resolve, reject });
        });
  const hook = renderHook(({ text }) => useTypedPreview(text, 'first', ask), {
    initialProps: { text: 'old' },
  });
  const type = (text: string) => {
    hook.rerender({ text });
    act(() => jest.runAllTimers());
  };
  const answer = (text: string, how: keyof Answer) =>
    act(async () =>
      how === 'resolve' ? owed.get(text)?.resolve(`of ${text}`) : owed.get(text)?.reject(new Error()),
    );
  return { hook, owed, type, answer };
}

test('nothing is asked about the first text', () => {
  const { hook, owed } = typing();
  act(() => jest.runAllTimers());
  expect(hook.result.current).toEqual({ preview: 'first', isFailed: false });
  expect(owed.size).toBe(0);
});

test('an answer is shown, unless another text was typed meanwhile', async () => {
  const { hook, type, answer } = typing();
  type('one');
  type('two');
  await answer('two', 'resolve');
  await answer('one', 'resolve');
  expect(hook.result.current).toEqual({ preview: 'of two', isFailed: false });
});

test('a refused text and one that is not complete keep the last preview and say that it is old', async () => {
  const { hook, owed, type, answer } = typing();
  type('one');
  await answer('one', 'reject');
  expect(hook.result.current).toEqual({ preview: 'first', isFailed: true });
  type('two');
  await answer('two', 'resolve');
  expect(hook.result.current).toEqual({ preview: 'of two', isFailed: false });
  type('');
  expect(hook.result.current).toEqual({ preview: 'of two', isFailed: true });
  expect([...owed.keys()]).toEqual(['one', 'two']);
});

test('the text of the preview typed again is not old any more', async () => {
  const { hook, type } = typing();
  type('');
  type('old');
  expect(hook.result.current).toEqual({ preview: 'first', isFailed: false });
});
