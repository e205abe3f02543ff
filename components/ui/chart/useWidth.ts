import { type RefObject, useLayoutEffect, useState } from 'react';

/** Until the browser has measured, and on the server. The picture is then scaled as a whole. */
const FIRST_WIDTH = 720;
const MIN_WIDTH = 240;

/** Width of an element in pixels, so that texts in a picture of this width are as large as those around it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => setWidth(Math.max(Math.round(box.clientWidth) || FIRST_WIDTH, MIN_WIDTH));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
