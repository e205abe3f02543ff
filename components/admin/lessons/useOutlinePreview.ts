import { useEffect, useRef, useState } from 'react';
import { previewOutline } from '../../api/admin/lessons';
import type { OutlineDraft, OutlinePreview } from '../../contracts/schema';

const WAIT_MS = 400;

/** What an outline would do, as the host says: the last one counts, whatever order the answers come in. */
export function useOutlinePreview(courseId: number, draft: OutlineDraft, first: OutlinePreview) {
  const [preview, setPreview] = useState(first);
  const [isFailed, setFailed] = useState(false);
  const text = JSON.stringify(draft);
  const shown = useRef(text);

  useEffect(() => {
    if (text === shown.current) return;
    let isOver = false;
    const timer = setTimeout(() => {
      previewOutline(courseId, JSON.parse(text)).then(
        (answer) => {
          if (isOver) return;
          shown.current = text;
          setPreview(answer);
          setFailed(false);
        },
        // Half typed, such as a lesson without a title: saving says what is wrong.
        () => !isOver && setFailed(true),
      );
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [courseId, text]);

  return { preview, isFailed };
}
