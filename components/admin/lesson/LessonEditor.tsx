import { useState } from 'react';
import lessonStyles from '../../../static/css/lesson-editor.css?text';
import { saveLesson } from '../../api/admin/lessons';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseLessonProps, LessonFields } from '../../contracts/schema';
import { countOf, EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { EditedStatus } from '../../forms/edited/EditedStatus';
import { SaveBar } from '../../forms/edited/SaveBar';
import { useEditedValue } from '../../forms/edited/useEditedValue';
import { Notice } from '../../ui/Notice';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { FilePart } from './FilePart';
import type { PartProps } from './partProps';
import { QuizPart } from './QuizPart';
import { TextPart } from './TextPart';
import { VideoPart } from './VideoPart';

const KINDS = [
  { value: 'text', label: 'Text' },
  { value: 'video', label: 'Video' },
  { value: 'quiz', label: 'Quiz' },
  { value: 'file', label: 'File to download' },
];
const TEXT_HINTS: Record<string, string> = {
  text: 'What the lesson teaches.',
  video: 'Shown below the video. May be empty.',
  quiz: 'Shown above the questions. May be empty.',
  file: 'Says what the file is for. May be empty.',
};
// Errors that a part shows itself.
const AT_FIELDS = /^(?:title|minutes|text|kind|tracks|videos|embedUrl|file|questions|attempts|waitMinutes)/;

/** What one lesson teaches. */
export function LessonEditor({
  frame,
  lessonId,
  fields: stored,
  html,
  languages,
  isGenerated,
  isFrozen,
}: CourseLessonProps) {
  useStyles(lessonStyles);
  const refresh = useRefresh();
  const [isNew, setNew] = useState(isGenerated);
  const edited = useEditedValue<LessonFields>({
    stored,
    version: frame.version,
    draft: `lesson-${lessonId}`,
    send: (value, version) => saveLesson(lessonId, { ...value, version }),
    read: (values) => values as LessonFields,
    onSaved: () => {
      setNew(false);
      void notify('success', 'The lesson is saved.');
      refresh().catch(() => undefined);
    },
  });
  const { value, change, call } = edited;
  const set: PartProps['set'] = (values, tag) => change({ ...value, ...values }, tag);
  const part = { fields: value, errors: call.errors, set };
  // The sheet that the shop made is a lesson's only text, not what stands beside a video or above questions.
  const textFor = (kind: string) => {
    if (!isNew || (value.text !== stored.text && value.text !== '')) return {};
    return { text: kind === 'text' ? stored.text : '' };
  };
  const elsewhere = Object.entries(call.errors).filter(([name]) => !AT_FIELDS.test(name));
  return (
    <div className="lesson-editor">
      <EditedStatus
        edited={edited}
        text={elsewhere.map(([, text]) => text).join(' ')}
        keeps="With yours, theirs of this lesson is replaced; other lessons stay as they have saved them."
      />
      {isNew && (
        <Notice kind="info" title="Nobody has written this lesson yet">
          <p>Learners see a study sheet that the shop made of the course’s texts. Yours replaces it.</p>
        </Notice>
      )}
      <div className="lesson-editor__facts">
        <EditedField
          label="Title"
          value={value.title}
          maxLength={500}
          onText={(title) => set({ title }, 'title')}
          error={call.errors.title}
        />
        <EditedSelect
          label="Kind"
          value={value.kind}
          options={isFrozen ? KINDS.filter(({ value: kind }) => kind === stored.kind) : KINDS}
          onChoose={(kind) => set({ kind: kind as LessonFields['kind'], ...textFor(kind) })}
          error={call.errors.kind}
        />
        <EditedField
          label="Minutes"
          inputMode="numeric"
          value={`${value.minutes}`}
          onText={(text) => set({ minutes: countOf(text) }, 'minutes')}
          error={call.errors.minutes}
        />
      </div>
      {value.kind === 'video' && <VideoPart {...part} languages={languages} />}
      {value.kind === 'file' && <FilePart {...part} />}
      <TextPart {...part} html={html} hint={TEXT_HINTS[value.kind] ?? ''} />
      {value.kind === 'quiz' && <QuizPart {...part} />}
      <SaveBar edited={edited} button="Save lesson" />
    </div>
  );
}
