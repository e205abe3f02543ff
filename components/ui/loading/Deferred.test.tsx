import { act, render, screen } from '@testing-library/react';
import { Deferred } from './Deferred';

type Value = string | Promise<string | null> | null;

async function show(value: Value) {
  await act(async () => {
    render(
      <Deferred value={value} fallback={<p>waiting</p>}>
        {(text) => <p>{`got ${text}`}</p>}
      </Deferred>,
    );
  });
}

test('an available value is rendered at once', async () => {
  await show('it');
  expect(screen.getByText('got it')).toBeVisible();
  expect(screen.queryByText('waiting')).toBeNull();
});

test('an empty value is a value', async () => {
  await show('');
  expect(screen.getByText('got')).toBeVisible();
});

test('a promise is waited for in its place', async () => {
  let deliver: (text: string) => void = () => undefined;
  await show(
    new Promise((resolve) => {
      deliver = resolve;
    }),
  );
  expect(screen.getByText('waiting')).toBeVisible();
  await act(async () => deliver('it'));
  expect(screen.getByText('got it')).toBeVisible();
});

test('an exception of one part leaves the rest of the page, and is reported', async () => {
  const onCaughtError = jest.fn();
  const Broken = () => {
    throw new Error('broken');
  };
  await act(async () => {
    render(
      <>
        <p>the rest</p>
        <Deferred value="it" fallback={null}>
          {() => <Broken />}
        </Deferred>
      </>,
      { onCaughtError },
    );
  });
  expect(screen.getByText('the rest')).toBeVisible();
  expect(screen.getByText('This part could not be loaded. Reload the page to try again.')).toBeVisible();
  expect(onCaughtError).toHaveBeenCalledTimes(1);
});

test.each([
  ['null', null],
  ['a promise of null', Promise.resolve(null)],
])('%s says that the part could not be had, and what to do', async (_, value) => {
  await show(value);
  expect(screen.getByText('This part could not be loaded. Reload the page to try again.')).toBeVisible();
});
