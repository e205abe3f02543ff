import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useCallForm } from './useCallForm';

/** A form whose earlier failures are forgotten by the call that it makes next: one attempt less, one submission more. */
function Form() {
  const [attempts, setAttempts] = useState(1);
  const [error, setError] = useState('');
  const { formProps } = useCallForm({
    call: { isBusy: false, attempts },
    read: () => null,
    check: () => ({}),
    send: async () => {
      // Like an answer of the host: React then applies all changes in one render.
      await new Promise((resolve) => setTimeout(resolve));
      setAttempts(0);
      setError('refused');
    },
  });
  return (
    <form {...formProps}>
      <input aria-label="Name" aria-invalid={error ? true : undefined} />
      <button type="submit">Save</button>
    </form>
  );
}

test('a failed submission moves the focus to the error, also when the number of tries stays the same', async () => {
  render(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus());
});
