import { useSyncExternalStore } from 'react';
import learningStyles from '../../../static/css/learning.css?text';
import { COURSES, dashboard, learningCourse, ONGOING, VIDEO } from '../../fixtures/learning/learning';
import { Outline } from '../../learning/course/Outline';
import { Continue } from '../../learning/dashboard/Continue';
import { CourseRows } from '../../learning/dashboard/MyCourses';
import { OrderRows } from '../../learning/dashboard/Orders';
import { Transcript } from '../../learning/video/Transcript';
import { QRCode } from '../../ui/qr/QRCode';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from '../guide/Guide';
import { CertificateStates } from './CertificateStates';
import { DialogStates } from './DialogStates';
import { GiftStates } from './GiftStates';
import { NoteStates } from './NoteStates';
import { QuizStates } from './QuizStates';
import { ReviewStates } from './ReviewStates';

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
