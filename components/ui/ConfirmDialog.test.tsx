import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfirmDialog } from './ConfirmDialog';

const answers: string[] = [];

function show(typedName?: string) {
  answers.length = 0;
  return render(
    <ConfirmDialog
      question="Delete the course?"
      text="It cannot be undone."
      yes="Delete"
      no="Keep it"
      {...(typedName === undefined ? {} : { typedName })}
      onYes={() => answers.push('yes')}
      onClose={() => answers.push('closed')}
    />,
  );
}

test('only the button with the action does it', async () => {
  const { unmount } = show();
  await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(answers).toEqual(['closed']);
  unmount();
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(answers).toEqual(['closed', 'yes']);
});

test('what cannot be undone is done only after its name was typed, also with Enter', async () => {
  show('Payroll Basics');
  const yes = screen.getByRole('button', { name: 'Delete' });
  expect(yes).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(yes);
  await userEvent.type(screen.getByLabelText('Type Payroll Basics'), 'Payroll{Enter}');
  expect(answers).toEqual([]);
  await userEvent.keyboard(' Basics{Enter}');
  expect(answers).toEqual(['closed', 'yes']);
});
