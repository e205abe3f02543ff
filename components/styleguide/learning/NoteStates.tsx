import type { NoteInList } from '../../contracts/schema';
import { NOTE } from '../../fixtures/learning/learning';
import { LaterPart } from '../../learning/LaterPart';
import { NoteRows } from '../../learning/notes/NoteRows';
import { TwoNotes } from '../../learning/notes/TwoNotes';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const loadNote = () =>
  loadOrReload(import('../../learning/notes/LessonNote')).then(({ LessonNote }) => LessonNote);

const COURSE = { name: 'SQL for Spreadsheet People', href: '#learning' };
const WRITTEN = 'NULL is not 0 and not "".\n\nAsk with IS NULL, never with = NULL.';
const note = (lesson: number, title: string, body: string): NoteInList => ({
  lesson,
  body,
  version: 2,
  updatedAt: '2026-09-14T18:00:00Z',
  course: COURSE,
  link: { name: title, href: '#learning' },
});
const NOTES = [
  note(1, 'What a table knows that a sheet does not', WRITTEN),
  note(2, 'Joins without tears', UNBROKEN),
];

/** A learner's own notes. */
export function NoteStates() {
  return (
    <>
      <State label="Note: not written yet, and written" ground="bare">
        <LaterPart load={loadNote} props={{ note: { ...NOTE, lesson: 21 }, learner: 0 }} />
        <LaterPart
          load={loadNote}
          props={{ note: { ...NOTE, lesson: 22, body: WRITTEN, version: 3 }, learner: 0 }}
        />
      </State>
      <State label="Note: changed elsewhere too" ground="bare">
        <TwoNotes
          own="Ask with IS NULL."
          other={{ ...NOTE, body: WRITTEN, updatedAt: '2026-09-14T18:00:00Z' }}
          onKeep={() => undefined}
        />
      </State>
      <State label="All notes; those of a course whose access is over" ground="bare">
        <NoteRows notes={NOTES} heading="h3" />
        <NoteRows notes={NOTES.slice(0, 1)} heading="h3" isOver />
      </State>
    </>
  );
}
