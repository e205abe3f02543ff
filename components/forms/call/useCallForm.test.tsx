import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, useLocation } from 'react-router-dom';
import { ApiProblem } from '../../api/client';
import { ShopProviders } from '../../fixtures/catalogue';
import { Button } from '../../ui/controls/Button';
import { TextField } from '../TextField';
import { FormStatus } from './FormStatus';
import { textOf } from './formValues';
import { useCallForm } from './useCallForm';

type Values = { name: string; city: string; level: string };
type Sent = Values & { version: number };
type FormProps = { send: (sent: Sent) => Promise<unknown>; version?: number; draft?: string; asks?: boolean };

function Form({ send, version = 1, draft = '', asks = false }: FormProps) {
  const form = useCallForm((values: Values, current) => send({ ...values, version: current }), {
    read: (data) => ({
      name: textOf(data, 'name'),
      city: textOf(data, 'address.city'),
      level: textOf(data, 'level'),
    }),
    version,
    draft,
    asksBeforeLeaving: asks,
  });
  const { pathname } = useLocation();
  return (
    <form aria-label="Course" {...form.formProps}>
      <FormStatus form={form} />
      <TextField id="name" name="name" label="Name" error={form.errors.name} />
      <TextField id="city" name="address.city" label="City" error={form.errors['address.city']} />
      <select name="level" aria-label="Level">
        <option>easy</option>
        <option>hard</option>
      </select>
      <Button isBusy={form.isBusy} busyText="Saving…">
        Save
      </Button>
      <Link to="/next">Next</Link>
      <p>{pathname}</p>
    </form>
  );
}

function show(props: FormProps) {
  const form = (more: Partial<FormProps> = {}) => (
    <ShopProviders>
      <MemoryRouter>
        <Form {...props} {...more} />
      </MemoryRouter>
    </ShopProviders>
  );
  return render(form());
}

const refusing = (status: number, members: object) => async () => {
  throw new ApiProblem({ status, title: 'No', ...members });
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const CONFLICT = {
  version: 7,
  changedBy: 'Bo Sand',
  changedAt: '2026-11-22T09:30:00Z',
  values: { name: 'Tax, revised', level: 'easy' },
};

beforeEach(() => sessionStorage.clear());

test('errors are at their fields by dotted path, the first has the focus, and what was typed stays', async () => {
  show({ send: refusing(422, { errors: { 'address.city': 'Unknown.', name: 'Too short.' } }) });
  await userEvent.type(screen.getByLabelText('Name'), 'T');
  await userEvent.selectOptions(screen.getByLabelText('Level'), 'hard');
  await save();
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
  expect(screen.getByLabelText('City')).toHaveAccessibleDescription('Unknown.');
  expect(screen.getByLabelText('Name')).toHaveValue('T');
  expect(screen.getByLabelText('Level')).toHaveValue('hard');
});

test('the error of a field that the form does not have is above the form', async () => {
  show({ send: refusing(422, { errors: { taxId: 'The tax number is missing.' } }) });
  await save();
  expect(await screen.findByText('The tax number is missing.')).toBeVisible();
  await waitFor(() => expect(document.activeElement).toHaveTextContent('The tax number is missing.'));
});

test('while the call is under way a second press sends nothing, and links lead on', async () => {
  let answer: (value?: unknown) => void = () => undefined;
  const sent: Sent[] = [];
  show({
    send: (values) => {
      sent.push(values);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  await save();
  const button = screen.getByRole('button', { name: 'Saving…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}');
  expect(sent).toHaveLength(1);
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(screen.getByText('/next')).toBeVisible();
  await act(async () => answer());
});

test('after a conflict the form shows who changed what; theirs replaces mine', async () => {
  const sent: Sent[] = [];
  show({
    send: async (values) => {
      sent.push(values);
      if (values.version < 7) await refusing(409, { members: { conflict: CONFLICT } })();
    },
  });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  await save();
  const panel = await screen.findByRole('alert');
  expect(panel).toHaveTextContent(/Bo Sand saved it on .*NameTheirs: Tax, revisedYours: Tax/);
  expect(panel).not.toHaveTextContent('Level');
  await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
  expect(screen.getByLabelText('Name')).toHaveValue('Tax, revised');
  expect(panel).not.toBeInTheDocument();
  await save();
  expect(sent.map(({ name, version }) => [name, version])).toEqual([
    ['Tax', 1],
    ['Tax, revised', 7],
  ]);
});

test('after a conflict mine is sent again with their version', async () => {
  const sent: Sent[] = [];
  show({
    send: async (values) => {
      sent.push(values);
      if (values.version < 7) await refusing(409, { members: { conflict: CONFLICT } })();
    },
  });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
  await waitFor(() => expect(screen.queryByText(/Somebody else/)).toBeNull());
  expect(sent.map(({ name, version }) => [name, version])).toEqual([
    ['Tax', 1],
    ['Tax', 7],
  ]);
});

test('what was typed comes back in this tab until it is sent, and not into another version', async () => {
  const send = async () => undefined;
  const first = show({ send, draft: 'course' });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  await userEvent.selectOptions(screen.getByLabelText('Level'), 'hard');
  first.unmount();
  const other = show({ send, draft: 'course', version: 2 });
  expect(screen.getByLabelText('Name')).toHaveValue('');
  other.unmount();
  const again = show({ send, draft: 'course' });
  expect(screen.getByLabelText('Name')).toHaveValue('Tax');
  expect(screen.getByText(/is in the fields again/)).toBeVisible();
  await save();
  again.unmount();
  show({ send, draft: 'course' });
  expect(screen.getByLabelText('Name')).toHaveValue('');
});

test('a discarded draft leaves the stored values', async () => {
  const send = async () => undefined;
  const first = show({ send, draft: 'course' });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  first.unmount();
  show({ send, draft: 'course' });
  await userEvent.click(screen.getByRole('button', { name: 'Discard it' }));
  expect(screen.getByLabelText('Name')).toHaveValue('');
  expect(sessionStorage.getItem('form_drafts')).toBeNull();
});

test('a link asks before it leaves unsaved changes, once', async () => {
  show({ send: async () => undefined, asks: true });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(screen.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  expect(screen.getByText('/')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(screen.getByText('/next')).toBeInTheDocument();
});

test('without changes, and after they are saved, a link asks nothing', async () => {
  show({ send: async () => undefined, asks: true });
  await userEvent.type(screen.getByLabelText('Name'), 'Tax');
  await save();
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(screen.getByText('/next')).toBeInTheDocument();
});
