import type { OutlinePreview } from '../../contracts/schema';

type EffectsProps = { effects: OutlinePreview; isFailed: boolean };

/** The rule in words as it would be, and whom saving would let complete the course. */
export function OutlineEffects({ effects, isFailed }: EffectsProps) {
  return (
    <div className="outline-effects" role="status">
      <p className="outline-effects__rule">{effects.rule}</p>
      <p>{peopleText(effects)}</p>
      <p className="hint">{`${count(effects.lessons, 'lesson')}, ${effects.minutes} minutes.`}</p>
      {isFailed && (
        <p className="hint">This is from before your last changes: something is not complete yet.</p>
      )}
    </div>
  );
}

function peopleText({ owners, completed, completing, isAll }: OutlinePreview): string {
  if (owners === 0) return 'Nobody has this course yet.';
  const many = `${isAll ? '' : 'at least '}${completing === 1 && isAll ? '1 person' : `${completing} people`}`;
  const now = completing === 0 ? 'Saving completes nobody now' : `Saving completes ${many} now`;
  return `${now}, and none loses anything: ${completedText(completed)}.`;
}

function completedText(completed: number): string {
  if (completed === 0) return 'progress stays, and nobody has completed it yet';
  return completed === 1
    ? 'progress stays, and the one who has completed it keeps that'
    : `progress stays, and the ${completed} who have completed it keep that`;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
