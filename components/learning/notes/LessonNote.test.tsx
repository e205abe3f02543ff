import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { lessonDrafts } from '../../browser/lessonDrafts/lessonDrafts';
import { saveSession } from '../../browser/session/session';
import { type HeldCall, holdServer, resetBrowser, signIn } from '../../fixtures/cartServer';
import { NOTE } from '../../fixtures/learning/learning';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { SESSION } from '../../fixtures/session';
import { LessonNote } from './LessonNote';

let calls: HeldCall[] = [];

beforeEach(() => {
  resetBrowser();
  signIn(7);
  saveSession(SESSION, 't');
  calls = holdServer();
});

const show = (note = NOTE) => renderLearning(<LessonNote note={note} learner={7} />);
const field = () => screen.getByRole('textbox', { name: 'Your note' });
const draft = () => lessonDrafts.read('note', 7, 4);

async function write(text: string) {
  await act(async () => {
    fireEvent.change(field(), { target: { value: text } });
    fireEvent.blur(field());
  });
}

test('a note is saved, and kept here until the host has it', async () => {
  await show();
  await write('Mine');
  expect(calls[0]).toMatchObject({
    path: '/learning/lessons/4/note',
    body: { learnerId: 7, body: 'Mine', version: 0 },
  });
  expect(draft()).toMatchObject({ body: 'Mine', version: 0 });
  await act(async () => calls[0]?.answer({ ...NOTE, body: 'Mine', version: 1 }));
  expect(screen.getByText('Saved').closest('[role="status"]')).not.toBeNull();
  expect(draft()).toBeNull();
});

test('what could not be saved is sent by the next visit of the lesson', async () => {
  await show();
  await write('Mine');
  await act(async () => calls[0]?.answer({ title: 'No' }, 503));
  expect(screen.getByText('Kept here, saved when the site answers again')).toBeVisible();
  cleanup();
  await show();
  expect(field()).toHaveValue('Mine');
  expect(calls[1]).toMatchObject({ body: { body: 'Mine', version: 0 } });
});

test('after the end of the sign-in the text stays', async () => {
  await show();
  await write('Mine');
  await act(async () => calls[0]?.answer({ title: 'No' }, 401));
  expect(screen.getByText('Your sign-in has ended. Your note is kept here.')).toBeVisible();
  expect(draft()?.body).toBe('Mine');
});

test('a note changed elsewhere is shown beside the own, and the chosen text is saved', async () => {
  await show();
  await write('Mine');
  const other = { ...NOTE, body: 'Theirs', version: 3, updatedAt: '2026-03-01T12:00:00Z' };
  await act(async () => calls[0]?.answer({ title: 'No', note: other }, 409));
  expect(screen.getByRole('heading', { name: 'This note was changed elsewhere too' })).toHaveFocus();
  expect([screen.getByText('Mine'), screen.getByText('Theirs')]).toHaveLength(2);
  await act(async () =>
    fireEvent.click(screen.getByRole('button', { name: 'Keep both, one after the other' })),
  );
  expect(calls[1]).toMatchObject({ body: { body: 'Theirs\n\nMine', version: 3 } });
});

test('keeping the other text sends nothing', async () => {
  await show();
  await write('Mine');
  const other = { ...NOTE, body: 'Theirs', version: 3, updatedAt: '2026-03-01T12:00:00Z' };
  await act(async () => calls[0]?.answer({ title: 'No', note: other }, 409));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Keep the other one' })));
  expect([field()]).toHaveLength(1);
  expect(field()).toHaveValue('Theirs');
  expect([calls.length, draft()]).toEqual([1, null]);
});
