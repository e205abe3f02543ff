import { useEffect, useRef, useState } from 'react';
import { previewTexts } from '../../api/admin/courses';
import type { CoursePreview, CourseText } from '../../contracts/schema';

const WAIT_MS = 600;

/** What the host makes of texts while they are typed: the last ones count, whatever order the answers come in. */
export function useTextPreview(courseId: number, first: CoursePreview) {
  const [preview, setPreview] = useState(first);
  const [isFailed, setFailed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const requestId = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show(texts: CourseText) {
    clearTimeout(timer.current);
    const id = ++requestId.current;
    timer.current = setTimeout(() => {
      previewTexts(courseId, texts).then(
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
