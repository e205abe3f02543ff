import { useSite } from '../../api/site';
import type { TranscriptCue } from '../../contracts/schema';
import { clockOf } from '../../format/clock';

type TranscriptProps = {
  cues: TranscriptCue[];
  /** The second that is played; -1 before. */
  second: number;
  /** Null: the video is another site's and cannot be moved from here. */
  onSeek: ((start: number) => void) | null;
};

/** What is said, to read and to search. Pressing a sentence plays the video from there. */
export function Transcript({ cues, second, onSeek }: TranscriptProps) {
  return (
    <details className="transcript" open>
      <summary className="transcript__title">Transcript</summary>
      <ol className="transcript__cues">
        {cues.map((cue) => (
          <li key={cue.start}>
            {onSeek ? (
              <button
                type="button"
                className="cue"
                aria-current={second >= Math.floor(cue.start) && second < cue.end ? 'true' : undefined}
                onClick={() => onSeek(cue.start)}
              >
                <CueText cue={cue} />
              </button>
            ) : (
              <p className="cue">
                <CueText cue={cue} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

function CueText({ cue: { start, text } }: { cue: TranscriptCue }) {
  const { forms } = useSite();
  return (
    <>
      <span className="cue__time">{clockOf(start, forms.zero)}</span>
      <span>{text}</span>
    </>
  );
}
