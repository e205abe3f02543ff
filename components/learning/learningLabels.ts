import type { DashboardCourse, LessonLink } from '../contracts/schema';
import type { BadgeTone } from '../ui/Badge';
import type { IconName } from '../ui/Icon';

type CourseState = DashboardCourse['state'];
type LessonKind = LessonLink['kind'];

export const STATES: Record<CourseState, { text: string; tone: BadgeTone }> = {
  new: { text: 'Not started', tone: 'neutral' },
  underway: { text: 'Under way', tone: 'info' },
  completed: { text: 'Completed', tone: 'good' },
  ended: { text: 'Access ended', tone: 'warning' },
};

export const KINDS: Record<LessonKind, { text: string; icon: IconName }> = {
  text: { text: 'Reading', icon: 'book' },
  video: { text: 'Video', icon: 'play' },
  quiz: { text: 'Quiz', icon: 'ledger' },
  file: { text: 'File', icon: 'box' },
};

/** The text of the button that leads into a course. */
export const GO_ON: Record<CourseState, string> = {
  new: 'Start',
  underway: 'Continue',
  completed: 'Look again',
  ended: 'See your results',
};
