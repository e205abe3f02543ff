import { useId, useState } from 'react';
import { previewPackage } from '../../api/admin/lessons';
import type {
  ComingLessonView,
  ComingSectionView,
  CourseOutlineProps,
  CoursePackageView,
} from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { useNextFocus } from '../../forms/edited/useNextFocus';
import { isolated } from '../../model/isolated';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { FileUpload } from '../../ui/upload/FileUpload';
import { Fold } from '../Fold';
import { KINDS } from './LessonRow';
import { type EditedOutline, extendedByPackage, packageOf, replacedByPackage } from './outlineEdits';

const MAX_BYTES = 256 * 2 ** 20;

type CoursePackageProps = CourseOutlineProps & {
  draft: EditedOutline;
  onTake: (outline: EditedOutline) => void;
};

/** Lessons come as a file of another system, and leave as one. What comes is part of the draft until it is saved. */
export function CoursePackage({
  frame,
  frozen,
  cartridgeHref,
  cartridgeLacks,
  draft,
  onTake,
}: CoursePackageProps) {
  const call = useCall();
  const [coming, setComing] = useState<CoursePackageView | null>(null);
  const [news, setNews] = useState('');
  const { ref, focusOn } = useNextFocus<HTMLDivElement>();
  const read = async (uploadId: number) => setComing(await previewPackage(frame.courseId, uploadId));

  function take(outline: EditedOutline, { sections }: CoursePackageView) {
    onTake(outline);
    setComing(null);
    const lessons = lessonsOf(sections).length;
    const many = lessons === 1 ? 'The lesson of the package is' : `The ${lessons} lessons of the package are`;
    setNews(`${many} in the outline now. Save them, or undo it.`);
    focusOn('package-news');
  }

  return (
    <Fold title="Course package: import and export">
      {!frozen && (
        <section className="course-package" aria-labelledby="package-import">
          <h3 className="heading-s" id="package-import">
            Import
          </h3>
          <CallError
            call={{ ...call, text: [call.text, ...Object.values(call.errors)].filter(Boolean).join(' ') }}
          />
          <FileUpload
            purpose="lesson"
            label="Course of another system"
            accept=".imscc,.zip,.tar.gz,.tgz,application/zip,application/gzip"
            hint="A Common Cartridge (.imscc, .zip) or an export of Open edX (.tar.gz), up to 256 MiB. You see what comes along before anything changes."
            maxBytes={MAX_BYTES}
            onDone={({ id }) => {
              setComing(null);
              setNews('');
              void call.run(() => read(id));
            }}
          />
          <div ref={ref}>
            <p role="status" tabIndex={-1} data-focus="package-news">
              {call.isBusy ? 'Reading the package…' : news}
            </p>
          </div>
          {coming && <Coming coming={coming} draft={draft} onTake={(outline) => take(outline, coming)} />}
        </section>
      )}
      <section className="course-package" aria-labelledby="package-export">
        <h3 className="heading-s" id="package-export">
          Export
        </h3>
        <p>
          The lessons as they are saved, with their files. Imported here again, each keeps its address, and
          learners their progress.
        </p>
        <p>
          <a className="button button--quiet" href={cartridgeHref} download>
            Export as Common Cartridge
          </a>
        </p>
        <details>
          <summary>What other systems do not learn from it</summary>
          <ul>
            {cartridgeLacks.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      </section>
    </Fold>
  );
}

type ComingProps = {
  coming: CoursePackageView;
  draft: EditedOutline;
  onTake: (outline: EditedOutline) => void;
};

/** What a package would bring, and what not, with the two ways to take it over. */
function Coming({ coming, draft, onTake }: ComingProps) {
  const { name, format, title, sections, lost, uploadId } = coming;
  const waiting = packageOf(draft);
  const mayAdd = waiting === null || waiting === uploadId;
  const lessons = lessonsOf(sections);
  if (lessons.length === 0) {
    return (
      <Notice kind="warning" title={`${isolated(name)} has no lessons that can come along`}>
        <p>{`${format}${title ? `, ${isolated(title)}` : ''}. Nothing has changed.`}</p>
        <Sentences sentences={lost} />
      </Notice>
    );
  }
  return (
    <section className="course-package__coming" aria-label={`What ${name} brings`}>
      <p className="course-package__facts">
        <strong>{isolated(title || name)}</strong>
        <span className="hint">{format}</span>
      </p>
      <p>{`${count(sections.length, 'section')}, ${count(lessons.length, 'lesson')}, ${quizText(lessons)}.`}</p>
      <p className="hint">{idsText(lessons)}</p>
      <div className="course-package__choices">
        {draft.sections.length > 0 && (
          <Button isDisabled={!mayAdd} onClick={() => onTake(extendedByPackage(draft, coming))}>
            Add to the lessons
          </Button>
        )}
        <Button
          variant={draft.sections.length > 0 ? 'quiet' : 'main'}
          onClick={() => onTake(replacedByPackage(draft, coming))}
        >
          {draft.sections.length > 0 ? 'Replace all lessons' : 'Take the lessons over'}
        </Button>
      </div>
      <p className="hint">
        {mayAdd
          ? 'Nothing is stored until you save the lessons. Minutes are estimated where the package has none.'
          : 'Save the lessons of the other package before you add these.'}
      </p>
      {lost.length > 0 && (
        <Notice kind="warning" title="Does not come along">
          <Sentences sentences={lost} />
        </Notice>
      )}
      {sections.map((section) => (
        <SectionComing key={section.lessons[0]?.ref ?? section.title} section={section} />
      ))}
    </section>
  );
}

function SectionComing({ section: { title, lessons } }: { section: ComingSectionView }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h4 className="course-package__section" id={id}>
        {title}
      </h4>
      <ul className="course-package__lessons">
        {lessons.map((lesson) => (
          <li key={lesson.ref}>
            <span className="course-package__lesson">
              <Badge text={KINDS[lesson.kind]} />
              <span>{isolated(lesson.title)}</span>
              <span className="hint">{fateText(lesson)}</span>
            </span>
            <Sentences sentences={lesson.lost} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sentences({ sentences }: { sentences: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className="course-package__lost">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

const lessonsOf = (sections: ComingSectionView[]) => sections.flatMap(({ lessons }) => lessons);

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

function quizText(lessons: ComingLessonView[]): string {
  const quizzes = lessons.filter(({ kind }) => kind === 'quiz').length;
  return quizzes === 1 ? 'of which 1 is a quiz' : `of which ${quizzes} are quizzes`;
}

function fateText({ id, returns, minutes }: ComingLessonView): string {
  const long = `${minutes} min`;
  if (id !== null) return `${long}, replaces what this lesson teaches`;
  return returns ? `${long}, comes back with its progress` : `${long}, new`;
}

function idsText(lessons: ComingLessonView[]): string {
  const known = lessons.filter(({ id, returns }) => id !== null || returns).length;
  if (known === 0) return 'None of them is in this course yet: all become new lessons.';
  const fresh = lessons.length - known;
  const others = fresh === 0 ? '' : `; ${count(fresh, 'lesson')} would be new`;
  return `${count(known, 'lesson')} of this course would be known again, and keep progress${others}.`;
}
