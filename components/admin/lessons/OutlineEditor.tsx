import { Suspense, useState } from 'react';
import badgeStyles from '../../../static/css/badge.css?text';
import lessonStyles from '../../../static/css/lesson-editor.css?text';
import menuStyles from '../../../static/css/menu.css?text';
import { previewOutline, saveOutline } from '../../api/admin/lessons';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseOutlineProps, OutlineDraft, OutlineFields, OutlinePreview } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { countOf, EditedCheck, EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { EditedStatus } from '../../forms/edited/EditedStatus';
import { SaveBar } from '../../forms/edited/SaveBar';
import { useEditedValue } from '../../forms/edited/useEditedValue';
import { Button } from '../../ui/controls/Button';
import { EmptyState } from '../../ui/EmptyState';
import { lazyComponent } from '../../ui/loading/lazyComponent';
import { Notice } from '../../ui/Notice';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { useTypedPreview } from '../useTypedPreview';
import {
  type EditedOutline,
  editedOutline,
  isTitled,
  mergedOutline,
  newSection,
  outlineChange,
  outlineDraft,
  withSections,
} from './outlineEdits';
import { SectionEditor } from './SectionEditor';
import { useOutlineMoves } from './useOutlineMoves';

const CoursePackage = lazyComponent(async () => (await import('./CoursePackage')).CoursePackage);
const KEEPS =
  'With yours, lessons that they have added are kept; their other changes of lessons are replaced.';

/** Sections and lessons of a course in their order, and the rule by which it is completed. */
export function OutlineEditor(props: CourseOutlineProps) {
  const { frame, outline, stored, effects, frozen } = props;
  useStyles(lessonStyles);
  useStyles(menuStyles);
  useStyles(badgeStyles);
  const refresh = useRefresh();
  const [first] = useState(() => editedOutline(outline));
  const edited = useEditedValue<EditedOutline>({
    stored: sameOr(first, editedOutline(outline)),
    version: frame.version,
    draft: `course-outline-${frame.courseId}`,
    send: (value, version) => saveOutline(frame.courseId, outlineChange(value, version)),
    read: (values) => editedOutline(values as typeof outline),
    merge: mergedOutline,
    onSaved: () => {
      void notify('success', 'The lessons are saved.');
      refresh().catch(() => undefined);
    },
  });
  const { value, change } = edited;
  const moves = useOutlineMoves(value, change);
  const draft = JSON.stringify(outlineDraft(value));
  const { preview, isFailed } = useTypedPreview(draft, effects, (text) => {
    const typed: OutlineDraft = JSON.parse(text);
    return isTitled(typed) ? previewOutline(frame.courseId, typed) : null;
  });
  const errors = edited.call.errors;
  return (
    <div className="outline" ref={moves.ref}>
      <EditedStatus edited={edited} text={errors.form ?? errors.uploadId ?? ''} keeps={KEEPS} />
      {frozen && (
        <Notice title="Corrections only">
          <p>{frozen}</p>
        </Notice>
      )}
      <p className="sr-only" role="status">
        {moves.announcement}
      </p>
      {value.sections.length === 0 && (
        <EmptyState
          title="No lessons yet"
          text="A course has sections, and lessons in them. Begin with a section."
        />
      )}
      {value.sections.map((section, place) => (
        <SectionEditor
          key={section.key}
          section={section}
          place={place}
          outline={value}
          stored={stored}
          errors={errors}
          change={change}
          moves={moves}
          isFrozen={frozen !== ''}
        />
      ))}
      {!frozen && (
        <div>
          <Button
            variant="quiet"
            onClick={() => {
              const added = newSection();
              change(withSections(value, [...value.sections, added]));
              moves.focusOn(`title-${added.key}`);
            }}
          >
            Add a section
          </Button>
        </div>
      )}
      <section className="area-box outline__rule" aria-labelledby="outline-rule">
        <h2 className="heading-m" id="outline-rule">
          When the course is completed
        </h2>
        <OutlineEffects effects={preview} isFailed={isFailed} />
        {!frozen && (
          <RuleFields
            rule={value.rule}
            errors={errors}
            onChange={(rule, tag) => change({ ...value, rule }, tag)}
          />
        )}
      </section>
      <Suspense>
        <CoursePackage {...props} draft={value} onTake={change} />
      </Suspense>
      <SaveBar edited={edited} button="Save lessons" />
    </div>
  );
}

/** The first value while it is the same, so that keys of what has no identity stay. */
function sameOr<T>(first: T, next: T): T {
  return JSON.stringify(first) === JSON.stringify(next) ? first : next;
}

type EffectsProps = { effects: OutlinePreview; isFailed: boolean };

/** The rule in words as it would be, and whom saving would let complete the course. */
function OutlineEffects({ effects, isFailed }: EffectsProps) {
  return (
    <div className="outline-effects" role="status">
      <p className="outline-effects__rule">{effects.rule}</p>
      <p>{peopleText(effects)}</p>
      <p className="hint">{`${count(effects.lessons, 'lesson')}, ${effects.minutes} minutes.`}</p>
      {isFailed && (
        <p className="hint">This is from before your last changes: something is not complete yet.</p>
      )}
    </div>
  );
}

function peopleText({ owners, completed, completing, isAll }: OutlinePreview): string {
  if (owners === 0) return 'Nobody has this course yet.';
  const many = `${isAll ? '' : 'at least '}${completing === 1 && isAll ? '1 person' : `${completing} people`}`;
  const now = completing === 0 ? 'Saving completes nobody now' : `Saving completes ${many} now`;
  return `${now}, and none loses anything: ${completedText(completed)}.`;
}

function completedText(completed: number): string {
  if (completed === 0) return 'progress stays, and nobody has completed it yet';
  return completed === 1
    ? 'progress stays, and the one who has completed it keeps that'
    : `progress stays, and the ${completed} who have completed it keep that`;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

type Rule = OutlineFields['rule'];
type RuleFieldsProps = { rule: Rule; errors: FieldErrors; onChange: (rule: Rule, tag?: string) => void };

const QUIZZES: { value: Rule['quizzes']; label: string }[] = [
  { value: 'passed', label: 'must be passed' },
  { value: 'attempted', label: 'must be taken' },
  { value: 'none', label: 'count as any lesson' },
];

/** The rule by which a course is completed. */
function RuleFields({ rule, errors, onChange }: RuleFieldsProps) {
  const set = (change: Partial<Rule>, tag?: string) => onChange({ ...rule, ...change }, tag);
  return (
    <div className="outline-rule">
      <EditedField
        label="Required lessons to finish, in percent"
        inputMode="numeric"
        value={`${rule.requiredPercent}`}
        onText={(text) => set({ requiredPercent: countOf(text) }, 'required-percent')}
        error={errors['rule.requiredPercent']}
      />
      <EditedSelect
        label="Required quizzes"
        value={rule.quizzes}
        options={QUIZZES}
        onChoose={(value) => set({ quizzes: value as Rule['quizzes'] })}
      />
      {rule.quizzes === 'passed' && (
        <EditedField
          label="Quizzes are passed with, in percent"
          inputMode="numeric"
          value={`${rule.passMark}`}
          onText={(text) => set({ passMark: countOf(text) }, 'pass-mark')}
          error={errors['rule.passMark']}
        />
      )}
      <EditedCheck
        label="Whoever completes it gets a certificate"
        isChecked={rule.hasCertificate}
        onCheck={(hasCertificate) => set({ hasCertificate })}
      />
      {rule.hasCertificate && (
        <EditedField
          label="The certificate is valid for, in months"
          hint="Empty: it has no end."
          inputMode="numeric"
          value={rule.validMonths === null ? '' : `${rule.validMonths}`}
          onText={(text) => set({ validMonths: text.trim() ? countOf(text) : null }, 'valid-months')}
          error={errors['rule.validMonths']}
        />
      )}
    </div>
  );
}
