import type { StoredLessonFields } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import type { EditedOutline } from './outlineEdits';
import type { OutlineMoves } from './useOutlineMoves';

/** What each part of the list of lessons needs of the whole. */
export type EditorProps = {
  outline: EditedOutline;
  stored: StoredLessonFields[];
  errors: FieldErrors;
  change: (outline: EditedOutline, tag?: string) => void;
  moves: OutlineMoves;
  /** Lessons neither come, go nor move: the course is retired. */
  isFrozen: boolean;
};
