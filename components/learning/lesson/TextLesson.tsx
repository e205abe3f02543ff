import { type RefObject, useEffect, useRef } from 'react';
import { useSite } from '../../api/site';
import { followReading, scrollToShare } from '../../browser/progress/reading';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';

type TextLessonProps = { html: string; record: LessonRecord; onNearEnd: () => void };

// Thousandths of the text. Whoever stopped in its first lines begins again.
const MIN_RESUME = 100;

/** A text. Where its reader stopped is kept; scrolling alone never makes it done. */
export function TextLesson({ html, record, onNearEnd }: TextLessonProps) {
  const text = useRef<HTMLDivElement>(null);
  const goTo = useReadingPosition(text, record.savePosition, onNearEnd);
  const { startPosition, isDone } = record;
  const format = formatOf(useSite());
  return (
    <div className="lesson-text stack">
      {startPosition >= MIN_RESUME && !isDone && (
        <p className="lesson-text__resume">
          <Button variant="text" onClick={() => goTo(startPosition)}>
            {`Go to where you stopped, ${format.percent(String(Math.round(startPosition / 10)))} through`}
          </Button>
        </p>
      )}
      <div ref={text}>
        <RichText className="prose" html={html} />
      </div>
      <DoneSwitch record={record} />
    </div>
  );
}

/** Where the reader of a text is. Returns what goes to a place in it. */
function useReadingPosition(
  text: RefObject<HTMLElement | null>,
  onPosition: (position: number) => void,
  onNearEnd: () => void,
): (position: number) => void {
  const handlers = useRef({ onPosition, onNearEnd });
  handlers.current = { onPosition, onNearEnd };
  useEffect(() => {
    if (!text.current) return;
    return followReading(text.current, {
      onPosition: (position) => handlers.current.onPosition(position),
      onNearEnd: () => handlers.current.onNearEnd(),
    });
  }, [text]);
  return (position) => {
    if (text.current) scrollToShare(text.current, position / 1000);
  };
}
