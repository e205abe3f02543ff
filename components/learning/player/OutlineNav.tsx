import { useLayoutEffect, useRef } from 'react';
import { showInside } from '../../browser/progress/place';
import type { LearningCourse } from '../../contracts/schema';
import { Outline } from '../course/Outline';

type OutlineNavProps = { course: LearningCourse; currentId: number };

/** The course's outline: a popover below 48rem, a column beside the lesson above. */
export function OutlineNav({ course, currentId }: OutlineNavProps) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>(`[aria-current]`);
    if (nav.current && current) showInside(nav.current, current);
  }, []);
  return (
    <nav
      ref={nav}
      id="course-outline"
      className="player__outline popover-nav"
      aria-label="Course outline"
      popover="auto"
      onToggle={({ currentTarget }) => {
        const current = currentTarget.querySelector<HTMLElement>('[aria-current]');
        if (current) showInside(currentTarget, current);
      }}
    >
      <Outline course={course} sections={course.sections} currentId={currentId} />
    </nav>
  );
}
