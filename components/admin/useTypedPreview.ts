import { useEffect, useRef, useState } from 'react';

const WAIT_MS = 500;

/**
 * What the host says about a text, once nothing more is typed: the last text counts, whatever order the answers come in.
 * `ask` returns null for a text that is not complete, which counts as failed. `first` belongs to the first text.
 */
export function useTypedPreview<T>(text: string, first: T, ask: (text: string) => Promise<T> | null) {
  const [preview, setPreview] = useState(first);
  const [isFailed, setFailed] = useState(false);
  const shown = useRef(text);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text is asked about
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      const answer = text === shown.current ? null : ask(text);
      if (answer === null) return setFailed(text !== shown.current);
      answer.then(
        (found) => {
          if (isOver) return;
          shown.current = text;
          setPreview(found);
          setFailed(false);
        },
        () => !isOver && setFailed(true),
      );
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);

  return { preview, isFailed };
}
