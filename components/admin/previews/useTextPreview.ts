import { useEffect, useRef, useState } from 'react';

const WAIT_MS = 600;

/** What the host makes of texts while they are typed: the last ones count, whatever order the answers come in. */
export function useTextPreview<T, P>(load: (texts: T) => Promise<P>, first: P) {
  const [preview, setPreview] = useState(first);
  const [isFailed, setFailed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const requestId = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(texts: T) {
    clearTimeout(timer.current);
    const id = ++requestId.current;
    timer.current = setTimeout(() => {
      load(texts).then(
        (answer) => {
          if (id !== requestId.current) return;
          setPreview(answer);
          setFailed(false);
        },
        () => {
          if (id === requestId.current) setFailed(true);
        },
      );
    }, WAIT_MS);
  }

  return { preview, isFailed, show };
}
