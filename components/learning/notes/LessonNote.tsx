import type { LessonNote as Note } from '../../contracts/schema';
import { TwoNotes } from './TwoNotes';
import { type NoteState, useNote } from './useNote';

export type LessonNoteProps = { note: Note; learner: number };

const MAX_LENGTH = 20_000;
const TEXTS: Record<NoteState, string> = {
  idle: '',
  saving: '',
  saved: 'Saved',
  waiting: 'Kept here, saved when the site answers again',
  'signed-out': 'Your sign-in has ended. Your note is kept here.',
  refused: 'This note could not be saved. It is kept here.',
};

/** The learner's own note in a lesson, which nobody else reads. */
export function LessonNote({ note, learner }: LessonNoteProps) {
  const { text, state, conflict, change, settle, save } = useNote(note, learner);
  const id = `note-${note.lesson}`;
  return (
    <section className="lesson-note stack" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Your note</h2>
      {conflict ? (
        <TwoNotes own={text} other={conflict} onKeep={settle} />
      ) : (
        <>
          <textarea
            id={id}
            className="field__input"
            rows={4}
            maxLength={MAX_LENGTH}
            aria-labelledby={`${id}-title`}
            aria-describedby={`${id}-hint`}
            value={text}
            onChange={({ target }) => change(target.value)}
            onBlur={() => void save()}
          />
          <p className="hint" id={`${id}-hint`}>
            Only you read it.
          </p>
        </>
      )}
      <p className="hint lesson-note__state" role="status">
        {TEXTS[state]}
      </p>
    </section>
  );
}
