import { useSession } from '../../api/auth';
import { providerPage } from '../../api/identity';
import type { SaveState } from '../../api/learning/progress';
import { currentAddress } from '../../browser/address';
import type { LearningLesson } from '../../contracts/schema';
import { Icon } from '../../ui/Icon';
import type { LessonRecord } from '../state/useLessonRecord';
import { useOnline } from '../state/useOnline';
import { useSaveState } from '../state/useSaveState';

type PlayerBarProps = {
  lesson: LearningLesson;
  record: LessonRecord;
  /** The page that the course ends with. */
  end: string;
};

/** The way through the course: "Previous · Done, next". On phones it stays at the bottom of the screen. */
export function PlayerBar({ lesson, record, end }: PlayerBarProps) {
  const { previous } = lesson;
  const state = useSaveState();
  return (
    <nav className="player__bar" aria-label="Lessons">
      {previous ? (
        <a className="button button--quiet player__previous" href={previous.href} rel="prev">
          <Icon name="arrow" />
          <span>
            Previous<span className="sr-only">{`: ${previous.title}`}</span>
          </span>
        </a>
      ) : (
        <span />
      )}
      <SaveStatus state={state} />
      {state === 'signed-out' ? (
        <SignInToSave lesson={lesson} record={record} />
      ) : (
        <Onward lesson={lesson} record={record} end={end} />
      )}
    </nav>
  );
}

/** A quiz is done when the host says so; everything else when its learner says so. */
function Onward({ lesson: { kind, next }, record: { isDone, markDone }, end }: PlayerBarProps) {
  const canFinish = kind !== 'quiz' && !isDone;
  const word = next ? 'next' : 'finish';
  return (
    <a
      className="button player__next"
      href={next?.href ?? end}
      rel="next"
      onClick={canFinish ? () => markDone(true) : undefined}
    >
      <span>
        {canFinish ? `Done, ${word}` : capitalised(word)}
        <span className="sr-only">{next ? `: ${next.title}` : ' the course'}</span>
      </span>
      <Icon name="arrow" />
    </a>
  );
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** What is pressed here is kept, and sent after the sign-in. */
function SignInToSave({ lesson: { kind }, record: { isDone, markDone } }: Omit<PlayerBarProps, 'end'>) {
  const area = useSession()?.learner.area ?? 'learner';
  return (
    <a
      className="button player__next"
      href={providerPage({ returnTo: currentAddress(), area })}
      onClick={kind !== 'quiz' && !isDone ? () => markDone(true) : undefined}
    >
      Sign in to save
    </a>
  );
}

const TEXTS: Record<SaveState, string> = {
  idle: '',
  saving: 'Saving …',
  saved: 'Saved',
  waiting: 'Kept here, saved when the site answers again',
  'signed-out': 'Your sign-in has ended. Your work is kept here.',
};

/** How saving goes, said politely. Its place is kept. */
function SaveStatus({ state }: { state: SaveState }) {
  const isOnline = useOnline();
  const text = isOnline || state !== 'waiting' ? TEXTS[state] : 'Kept here until you are online';
  return (
    <p className="player__saving hint">
      {/* "Saving" comes and goes with every call: it is shown, not read out. */}
      <span aria-hidden={state === 'saving' || undefined}>{state === 'saving' ? text : ''}</span>
      <span role="status">{state === 'saving' ? '' : text}</span>
    </p>
  );
}
