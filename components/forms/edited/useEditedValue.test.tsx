import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ApiProblem } from '../../api/client';
import { ShopProviders } from '../../fixtures/catalogue';
import { EditedField } from './EditedField';
import { EditedStatus } from './EditedStatus';
import { SaveBar } from './SaveBar';
import { useEditedValue } from './useEditedValue';

type Thing = { words: string[] };

let sent: [Thing, number][];
let answer: () => Promise<unknown>;

beforeEach(() => {
  sent = [];
  answer = async () => undefined;
  window.sessionStorage.clear();
});

function Editor(props: { stored: Thing; version?: number }) {
  return (
    <ShopProviders>
      <Fields {...props} />
    </ShopProviders>
  );
}

function Fields({ stored, version = 1 }: { stored: Thing; version?: number }) {
  const edited = useEditedValue<Thing>({
    stored,
    version,
    draft: 'thing',
    send: (value, seen) => {
      sent.push([value, seen]);
      return answer();
    },
    read: (values) => values as Thing,
    merge: (mine, theirs) => ({ words: [...mine.words, ...theirs.words.slice(1)] }),
    onSaved: () => undefined,
  });
  return (
    <>
      <EditedStatus edited={edited} keeps="Theirs is added." />
      <EditedField
        label="Word"
        value={edited.value.words.join(' ')}
        onText={(text) => edited.change({ words: text.split(' ') }, 'word')}
      />
      <SaveBar edited={edited} button="Save" />
    </>
  );
}

const field = () => screen.getByLabelText('Word');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const conflict = () =>
  new ApiProblem({
    status: 409,
    title: 'Somebody else has saved a newer version.',
    members: {
      conflict: {
        version: 7,
        changedBy: 'Otto',
        changedAt: '2026-03-01T12:00:00Z',
        values: { words: ['one', 'two'] },
      },
    },
  });

test('letters typed one after another are one step back', () => {
  render(<Editor stored={{ words: ['one'] }} />);
  expect(screen.getByText('Everything is saved.')).toBeVisible();
  type('on');
  type('o');
  expect(screen.getByText('Changes are not saved yet.')).toBeVisible();
  press('Undo');
  expect(field()).toHaveValue('one');
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true');
});

test('what is saved becomes what is stored, and is sent with its version', async () => {
  const { rerender } = render(<Editor stored={{ words: ['one'] }} />);
  type('new');
  press('Save');
  await waitFor(() => expect(sent).toEqual([[{ words: ['new'] }, 1]]));
  rerender(<Editor stored={{ words: ['new'] }} version={2} />);
  expect(screen.getByText('Everything is saved.')).toBeVisible();
});

test('changes are here again after a reload, and can be discarded', () => {
  const { unmount } = render(<Editor stored={{ words: ['one'] }} />);
  type('half');
  unmount();
  render(<Editor stored={{ words: ['one'] }} />);
  expect(field()).toHaveValue('half');
  press('Discard it');
  expect(field()).toHaveValue('one');
});

test('keeping mine after somebody else was faster sends both, with their version', async () => {
  render(<Editor stored={{ words: ['one'] }} />);
  type('mine');
  answer = async () => {
    throw conflict();
  };
  press('Save');
  expect(await screen.findByText(/Otto saved it/)).toBeVisible();
  expect(field()).toHaveValue('mine');
  answer = async () => undefined;
  press('Keep mine');
  await waitFor(() => expect(sent[1]).toEqual([{ words: ['mine', 'two'] }, 7]));
});

test('using theirs shows it and leaves nothing to save', async () => {
  render(<Editor stored={{ words: ['one'] }} />);
  type('mine');
  answer = async () => {
    throw conflict();
  };
  press('Save');
  fireEvent.click(await screen.findByRole('button', { name: 'Use theirs' }));
  expect(field()).toHaveValue('one two');
  expect(screen.getByText('Everything is saved.')).toBeVisible();
});

test('a save that changes nothing leaves what is stored, and nothing to save', async () => {
  answer = async () => ({ id: 1, version: 1 });
  render(<Editor stored={{ words: ['one'] }} />);
  type('one  ');
  press('Save');
  expect(await screen.findByText('Everything is saved.')).toBeVisible();
  expect(field()).toHaveValue('one');
  expect(sent).toHaveLength(1);
});
