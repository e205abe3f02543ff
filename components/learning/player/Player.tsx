import { useEffect, useRef, useState } from 'react';
import { prefetchPage } from '../../api/learning/fetchedPages';
import { useShop, useSite } from '../../api/site';
import { currentAddress } from '../../browser/address';
import { focusHeading } from '../../browser/progress/place';
import type { Session } from '../../browser/session/session';
import type { LearningCourse, LessonView } from '../../contracts/schema';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { BackLink } from '../BackLink';
import { CourseProgress } from '../CourseProgress';
import { LaterPart } from '../LaterPart';
import { LessonBody } from '../lesson/LessonBody';
import { LessonHead } from '../lesson/LessonHead';
import { endHref } from '../lessonHref';
import { ShowQR } from '../qr/ShowQR';
import { useCourse } from '../state/useKnownProgress';
import { useLessonRecord } from '../state/useLessonRecord';
import { useRefreshOnCompletion } from '../state/useRefreshOnCompletion';
import { OutlineNav } from './OutlineNav';
import { PlayerBar } from './PlayerBar';

type PlayerProps = { view: LessonView; session: Session };

const loadNote = () => loadOrReload(import('../notes/LessonNote')).then(({ LessonNote }) => LessonNote);

const loadEnd = () => loadOrReload(import('./CourseEnd')).then(({ CourseEnd }) => CourseEnd);

/** One lesson with its course's outline beside it. */
export function Player({ view, session }: PlayerProps) {
  const { lesson } = view;
  const course = useCourse(view.course);
  const record = useLessonRecord(lesson, session.learner.id);
  const heading = useRef<HTMLHeadingElement>(null);
  const prefetch = usePrefetch(lesson.next?.href);
  const isJustCompleted = useIsJustCompleted(course);
  useRefreshOnCompletion(course);
  // Client navigation has moved the focus to the page; the lesson begins at its heading.
  useEffect(() => focusHeading(heading.current), []);

  return (
    <div className="player">
      <PlayerHead course={course} />
      <OutlineNav course={course} currentId={lesson.id} />
      <article className="player__lesson" aria-labelledby="lesson-title">
        <LessonHead lesson={lesson} count={countOf(course)} isDone={record.isDone} heading={heading} />
        <LessonBody
          lesson={lesson}
          picture={course.picture}
          quiz={view.quiz}
          learner={session.learner.id}
          record={record}
          onNearEnd={prefetch}
          end={endHref(course)}
        />
        {view.note && (
          <LaterPart
            load={loadNote}
            props={{ note: view.note, learner: session.learner.id }}
            placeholder={<div className="lesson-note__place" />}
          />
        )}
        <p className="sr-only" role="status">
          {isJustCompleted && 'You have completed this course.'}
        </p>
        {(!lesson.next || isJustCompleted) && (
          <LaterPart load={loadEnd} props={{ course, lessonId: lesson.id }} />
        )}
      </article>
      <PlayerBar lesson={lesson} record={record} end={endHref(course)} />
    </div>
  );
}

/** Whether the course was completed while this lesson was on screen. */
function useIsJustCompleted({ status: { isComplete } }: LearningCourse): boolean {
  const [wasComplete] = useState(isComplete);
  return isComplete && !wasComplete;
}

const countOf = ({ sections }: LessonView['course']) =>
  sections.reduce((sum, { lessons }) => sum + lessons.length, 0);

/** Fetches the next lesson, once. */
function usePrefetch(href: string | undefined): () => void {
  const { site } = useShop();
  const isDone = useRef(false);
  return () => {
    if (isDone.current || !href) return;
    isDone.current = true;
    void prefetchPage(href, site.build);
  };
}

/** Above a lesson: back to its course, how far that is, the outline on narrow screens, and the way to the phone. */
function PlayerHead({ course }: { course: LearningCourse }) {
  return (
    <div className="player__head row">
      <BackLink href={course.learnHref} text={course.name} />
      <div className="player__progress">
        <CourseProgress name={course.name} {...course.status} />
      </div>
      <div className="player__tools row">
        <button type="button" className="button button--quiet player__toggle" popoverTarget="course-outline">
          <Icon name="menu" />
          Outline
        </button>
        <OnYourPhone />
      </div>
    </div>
  );
}

/**
 * The address of this lesson for another device. Where the learner stopped is the account's, so the address is all
 * that is needed, and it holds nothing secret.
 */
function OnYourPhone() {
  const { origin } = useSite();
  return (
    <div className="player__phone">
      <ShowQR
        text={origin + currentAddress()}
        label="QR code of this lesson's address"
        buttonText="On your phone"
        hint="Scan it and sign in there: the lesson goes on where you stopped."
        icon="phone"
      />
    </div>
  );
}
