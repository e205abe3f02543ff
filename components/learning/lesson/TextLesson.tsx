import { useRef } from 'react';
import { useSite } from '../../api/site';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';
import { useReadingPosition } from './useReadingPosition';

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
