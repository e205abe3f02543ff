import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Modal } from './Modal';

function Panel() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Modal labelledBy="title" className="" onClose={() => setIsOpen(false)}>
          <h2 id="title">Panel</h2>
          <button type="button" onClick={() => setIsOpen(false)}>
            Close
          </button>
        </Modal>
      )}
    </>
  );
}

test('the focus returns to what opened a dialog that its owner closes', async () => {
  render(<Panel />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
});
