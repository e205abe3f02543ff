import { type RefObject, useEffect, useRef } from 'react';
import { followReading, scrollToShare } from '../../browser/progress/reading';

/** Where the reader of a text is. Returns what goes to a place in it. */
export function useReadingPosition(
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
