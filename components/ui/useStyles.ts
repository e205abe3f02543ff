import { useInsertionEffect } from 'react';
import { adoptStyles } from '../browser/mount';

const adopted = new Set<string>();

/** A style sheet that comes with the code that needs it, once, before that code is seen. */
export function useStyles(text: string): void {
  useInsertionEffect(() => {
    if (adopted.has(text)) return;
    adopted.add(text);
    adoptStyles(text);
  }, [text]);
}
