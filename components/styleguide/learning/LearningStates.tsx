import { type ReactNode, useState, useSyncExternalStore } from 'react';
import learningStyles from '../../../static/css/learning.css?text';
import { DeleteAccount } from '../../account/sections/DeleteAccount';
import { ReportReview } from '../../catalogue/course/ReportReview';
import type { CourseReview } from '../../contracts/schema';
import { COURSES, dashboard, learningCourse, ONGOING, VIDEO } from '../../fixtures/learning/learning';
import { ownReview } from '../../fixtures/learning/reviews';
import { Outline } from '../../learning/course/Outline';
import { Continue } from '../../learning/dashboard/Continue';
import { CourseRows } from '../../learning/dashboard/MyCourses';
import { OrderRows } from '../../learning/dashboard/Orders';
import { LaterPart } from '../../learning/LaterPart';
import { Transcript } from '../../learning/video/Transcript';
import { Button } from '../../ui/controls/Button';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { QRCode } from '../../ui/qr/QRCode';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from '../guide/Guide';
import { CertificateStates } from './CertificateStates';
import { GiftStates } from './GiftStates';
import { NoteStates } from './NoteStates';
import { QuizStates } from './QuizStates';

const COURSE = learningCourse();
const noop = () => undefined;
const never = () => noop;

/** Parts of the dashboard, a course and a lesson, quizzes, notes, certificates, reviews and gifts; in the browser alone, as their page. */
export function LearningStates() {
  useStyles(learningStyles);
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <Group id="learning" title="Learning">
      {isInBrowser && (
        <>
          <LearningParts />
          <QuizStates />
          <NoteStates />
          <CertificateStates />
          <ReviewStates />
          <GiftStates />
          <DialogStates />
        </>
      )}
    </Group>
  );
}

function LearningParts() {
  return (
    <>
      <State label="Where to go on: several courses, and none yet" ground="bare">
        <Continue ongoing={ONGOING} courses={COURSES} />
        <Continue ongoing={[]} courses={[]} />
      </State>
      <State label="Courses: under way, with an end, not started, completed" ground="bare">
        <CourseRows courses={COURSES} heading="h3" />
      </State>
      <State label="Outline: done, the lesson on screen, optional">
        <Outline course={COURSE} sections={COURSE.sections} currentId={3} />
      </State>
      <State label="Outline on the course’s page: the next lesson" ground="bare">
        <Outline course={COURSE} sections={COURSE.sections} nextId={3} isWide />
      </State>
      <State label="Transcript: the sentence that is said" ground="bare">
        <Transcript cues={VIDEO.transcript} second={5} onSeek={noop} />
      </State>
      <State label="Past orders; QR code">
        <OrderRows orders={dashboard().orders} />
        <div className="qr__code">
          <QRCode text="https://shop.example/s?n=S-7KQ2-M9XD" label="QR code of a link" />
        </div>
      </State>
    </>
  );
}

const loadReview = () =>
  loadOrReload(import('../../learning/reviews/CourseReview')).then(({ CourseReview }) => CourseReview);

const STATES: [label: string, review: CourseReview][] = [
  ['Review: too early', { refusal: 'Finish 4 required lessons first: you have finished 2.', own: null }],
  ['Review: not written yet', { refusal: null, own: null }],
  [
    'Review: published, and changed since',
    { refusal: null, own: ownReview({ editedAt: '2026-04-01T10:00:00Z' }) },
  ],
  ['Review: being checked', { refusal: null, own: ownReview({ state: 'pending' }) }],
  [
    'Review: not shown',
    {
      refusal: null,
      own: ownReview({ state: 'hidden', hiddenReason: 'It names a person who is not public.' }),
    },
  ],
];

/** A learner's own review of a course. */
function ReviewStates() {
  return STATES.map(([label, review], place) => (
    <State key={label} label={label} ground="bare">
      <LaterPart load={loadReview} props={{ courseId: place + 1, review }} />
    </State>
  ));
}

/** Dialogs about a review and an account; they send only what somebody fills in. */
function DialogStates() {
  return (
    <State label="Dialogs: a review is reported, an account with certificates is deleted">
      <div className="row">
        <OpensDialog label="Report a review">
          {(onClose) => <ReportReview review={{ id: 0, author: 'Ada L.' }} onClose={onClose} />}
        </OpensDialog>
        <OpensDialog label="Delete an account">
          {(onClose) => <DeleteAccount email="ada@example.test" onClose={onClose} />}
        </OpensDialog>
      </div>
    </State>
  );
}

type OpensDialogProps = { label: string; children: (onClose: () => void) => ReactNode };

function OpensDialog({ label, children }: OpensDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}
