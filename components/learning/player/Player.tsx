import { useEffect, useRef, useState } from 'react';
import { prefetchPage } from '../../api/learning/fetchedPages';
import { useShop } from '../../api/site';
import { focusHeading } from '../../browser/progress/place';
import type { Session } from '../../browser/session/session';
import type { LearningCourse, LessonView } from '../../contracts/schema';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { LaterPart } from '../LaterPart';
import { LessonBody } from '../lesson/LessonBody';
import { LessonHead } from '../lesson/LessonHead';
import { endHref } from '../lessonHref';
import { useCourse } from '../state/useKnownProgress';
import { useLessonRecord } from '../state/useLessonRecord';
import { useRefreshOnCompletion } from '../state/useRefreshOnCompletion';
import { OutlineNav } from './OutlineNav';
import { PlayerBar } from './PlayerBar';
import { PlayerHead } from './PlayerHead';

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
