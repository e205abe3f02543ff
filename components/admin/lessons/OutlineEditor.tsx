import { useState } from 'react';
import badgeStyles from '../../../static/css/badge.css?text';
import lessonStyles from '../../../static/css/lesson-editor.css?text';
import menuStyles from '../../../static/css/menu.css?text';
import { saveOutline } from '../../api/admin/lessons';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseOutlineProps } from '../../contracts/schema';
import { EditedStatus } from '../../forms/edited/EditedStatus';
import { SaveBar } from '../../forms/edited/SaveBar';
import { useEditedValue } from '../../forms/edited/useEditedValue';
import { Button } from '../../ui/controls/Button';
import { EmptyState } from '../../ui/EmptyState';
import { Notice } from '../../ui/Notice';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { OutlineEffects } from './OutlineEffects';
import {
  type EditedOutline,
  editedOutline,
  mergedOutline,
  newSection,
  outlineDraft,
  withSections,
} from './outlineEdits';
import { RuleFields } from './RuleFields';
import { SectionEditor } from './SectionEditor';
import { useOutlineMoves } from './useOutlineMoves';
import { useOutlinePreview } from './useOutlinePreview';

const KEEPS =
  'With yours, lessons that they have added are kept; their other changes of lessons are replaced.';

/** Sections and lessons of a course in their order, and the rule by which it is completed. */
export function OutlineEditor({ frame, outline, stored, effects, frozen }: CourseOutlineProps) {
  useStyles(lessonStyles);
  useStyles(menuStyles);
  useStyles(badgeStyles);
  const refresh = useRefresh();
  const [first] = useState(() => editedOutline(outline));
  const edited = useEditedValue<EditedOutline>({
    stored: sameOr(first, editedOutline(outline)),
    version: frame.version,
    draft: `course-outline-${frame.courseId}`,
    send: (value, version) => saveOutline(frame.courseId, { ...outlineDraft(value), version }),
    read: (values) => editedOutline(values as typeof outline),
    merge: mergedOutline,
    onSaved: () => {
      void notify('success', 'The lessons are saved.');
      refresh().catch(() => undefined);
    },
  });
  const { value, change } = edited;
  const moves = useOutlineMoves(value, change);
  const { preview, isFailed } = useOutlinePreview(frame.courseId, outlineDraft(value), effects);
  const errors = edited.call.errors;
  return (
    <div className="outline" ref={moves.ref}>
      <EditedStatus edited={edited} text={errors.form ?? ''} keeps={KEEPS} />
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
      <SaveBar edited={edited} button="Save lessons" />
    </div>
  );
}

/** The first value while it is the same, so that keys of what has no identity stay. */
function sameOr<T>(first: T, next: T): T {
  return JSON.stringify(first) === JSON.stringify(next) ? first : next;
}
