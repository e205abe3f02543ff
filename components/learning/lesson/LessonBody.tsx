import { useEffect } from 'react';
import type { LearningLesson, Picture, Quiz } from '../../contracts/schema';
import { PanelBoundary } from '../../ui/loading/ErrorPanel';
import { Notice } from '../../ui/Notice';
import type { LessonRecord } from '../state/useLessonRecord';
import { FileLesson } from './FileLesson';
import { LazyQuiz } from './LazyQuiz';
import { LazyVideo } from './LazyVideo';
import { TextLesson } from './TextLesson';

type LessonBodyProps = {
  lesson: LearningLesson;
  /** The picture of its course. */
  picture: Picture;
  quiz: Quiz | null;
  learner: number;
  record: LessonRecord;
  /** The page that the course ends with. */
  end: string;
  /** The end is near: what comes next is fetched. */
  onNearEnd: () => void;
};

/** What the lesson teaches, by its kind. A failure stays in it: notes and progress work. */
export function LessonBody(props: LessonBodyProps) {
  return (
    <PanelBoundary title="This lesson could not be shown">
      <BodyOf {...props} />
    </PanelBoundary>
  );
}

function BodyOf({ lesson, picture, quiz, learner, record, end, onNearEnd }: LessonBodyProps) {
  const { body, title } = lesson;
  switch (body.kind) {
    case 'text':
      return <TextLesson html={body.html} record={record} onNearEnd={onNearEnd} />;
    case 'video':
      return <LazyVideo title={title} body={body} picture={picture} record={record} onNearEnd={onNearEnd} />;
    case 'file':
      return <FileLesson body={body} record={record} onNearEnd={onNearEnd} />;
    case 'quiz': {
      const next = lesson.next ?? { title: '', href: end };
      return <LazyQuiz html={body.html} quiz={quiz} learner={learner} next={next} onNearEnd={onNearEnd} />;
    }
    case 'missing':
      return <MissingBody reference={body.reference} onNearEnd={onNearEnd} />;
  }
}

function MissingBody({ reference, onNearEnd }: { reference: string; onNearEnd: () => void }) {
  useEffect(onNearEnd, [onNearEnd]);
  return (
    <Notice kind="warning" title="What this lesson teaches cannot be shown right now">
      <p>You can go on, and mark it as done if you have studied it before. Tell us, and quote this number:</p>
      <p>
        <strong>{reference}</strong>
      </p>
      <a href="/contact">Write to us</a>
    </Notice>
  );
}
