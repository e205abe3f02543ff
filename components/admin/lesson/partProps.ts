import type { LessonFields } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';

/** What each part of a lesson shows and changes. */
export type PartProps = {
  fields: LessonFields;
  errors: FieldErrors;
  set: (change: Partial<LessonFields>, tag?: string) => void;
};
