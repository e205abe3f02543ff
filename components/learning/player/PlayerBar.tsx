import { useSession } from '../../api/auth';
import { providerPage } from '../../api/identity';
import { currentAddress } from '../../browser/address';
import type { LearningLesson } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import type { LessonRecord } from '../state/useLessonRecord';
import { useSaveState } from '../state/useSaveState';
import { SaveStatus } from './SaveStatus';

type PlayerBarProps = { lesson: LearningLesson; record: LessonRecord };

/** The way through the course: "Previous · Done, next". On phones it stays at the bottom of the screen. */
export function PlayerBar({ lesson, record }: PlayerBarProps) {
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
        <Onward lesson={lesson} record={record} />
      )}
    </nav>
  );
}

/** A quiz is done when the host says so; everything else when its learner says so. */
function Onward({ lesson: { kind, next }, record: { isDone, markDone } }: PlayerBarProps) {
  const canFinish = kind !== 'quiz' && !isDone;
  if (!next)
    return canFinish ? (
      <Button onClick={() => markDone(true)}>Done</Button>
    ) : (
      <span className="player__next" />
    );
  return (
    <a
      className="button player__next"
      href={next.href}
      rel="next"
      onClick={canFinish ? () => markDone(true) : undefined}
    >
      <span>
        {canFinish ? 'Done, next' : 'Next'}
        <span className="sr-only">{`: ${next.title}`}</span>
      </span>
      <Icon name="arrow" />
    </a>
  );
}

/** What is pressed here is kept, and sent after the sign-in. */
function SignInToSave({ lesson: { kind }, record: { isDone, markDone } }: PlayerBarProps) {
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
