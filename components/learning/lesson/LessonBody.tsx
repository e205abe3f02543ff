import { useEffect } from 'react';
import { useSite } from '../../api/site';
import type { FileBody, LearningLesson, Picture, Quiz } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { PanelBoundary } from '../../ui/loading/ErrorPanel';
import { Notice } from '../../ui/Notice';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';
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

type FileLessonProps = { body: FileBody; record: LessonRecord; onNearEnd: () => void };

/** A file to take along. Downloading is not reading: the button alone makes it done. */
function FileLesson({ body: { html, name, href, bytes, mediaType }, record, onNearEnd }: FileLessonProps) {
  useEffect(onNearEnd, [onNearEnd]);
  return (
    <div className="stack lesson-text">
      <RichText className="prose" html={html} />
      <a className="lesson-file panel" href={href} download={name}>
        <Icon name="box" />
        <span className="lesson-file__name">{name}</span>
        <span className="hint">{`${mediaType} · ${fileSize(bytes, formatOf(useSite()))}`}</span>
        <span className="lesson-file__word">Download</span>
      </a>
      <DoneSwitch record={record} />
    </div>
  );
}
