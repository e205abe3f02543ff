import { render, screen } from '@testing-library/react';
import { ErrorBoundary } from './ErrorBoundary';

function Part({ fails }: { fails: boolean }) {
  if (fails) throw new Error('broken');
  return <p>the part</p>;
}

function boundary(resetKey: string, fails: boolean) {
  return (
    <ErrorBoundary resetKey={resetKey} fallback={<p>instead</p>}>
      <Part fails={fails} />
    </ErrorBoundary>
  );
}

test('the fallback stays until the key changes', () => {
  const { rerender } = render(boundary('a', true), { onCaughtError: () => undefined });
  expect(screen.getByText('instead')).toBeVisible();
  rerender(boundary('a', false));
  expect(screen.getByText('instead')).toBeVisible();
  rerender(boundary('b', false));
  expect(screen.getByText('the part')).toBeVisible();
});
