import { useInsertionEffect } from 'react';
import { adoptStyles } from '../browser/mount';

const adopted = new Set<string>();

/** Adopts a style sheet that belongs to a chunk, once, before its components are visible. */
export function useStyles(text: string): void {
  useInsertionEffect(() => {
    if (adopted.has(text)) return;
    adopted.add(text);
    adoptStyles(text);
  }, [text]);
}
