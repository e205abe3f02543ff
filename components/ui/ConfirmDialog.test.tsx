import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfirmDialog } from './ConfirmDialog';

const said: string[] = [];

function show(typedName?: string) {
  said.length = 0;
  return render(
    <ConfirmDialog
      question="Delete the course?"
      text="It cannot be undone."
      yes="Delete"
      no="Keep it"
      {...(typedName === undefined ? {} : { typedName })}
      onYes={() => said.push('yes')}
      onClose={() => said.push('closed')}
    />,
  );
}

test('only the button with the action does it', async () => {
  const { unmount } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(said).toEqual(['closed']);
  unmount();
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(said).toEqual(['closed', 'yes']);
});

test('what cannot be undone is done only after its name was typed, also with Enter', async () => {
  show('Payroll Basics');
  const yes = screen.getByRole('button', { name: 'Delete' });
  expect(yes).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(yes);
  await userEvent.type(screen.getByLabelText('Type Payroll Basics'), 'Payroll{Enter}');
  expect(said).toEqual([]);
  await userEvent.keyboard(' Basics{Enter}');
  expect(said).toEqual(['closed', 'yes']);
});
