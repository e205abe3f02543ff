import type { ComponentType, ReactNode } from 'react';
import { useLater } from '../ui/loading/useLater';

type LaterPartProps<P> = {
  /** A function of a module, not of a render: it is called once. */
  load: () => Promise<ComponentType<P>>;
  props: P;
  /** Keeps its place until the code is there. */
  placeholder?: ReactNode;
};

/** A part of the page that nobody reads first: its code loads after the page. Without it the rest works. */
export function LaterPart<P extends object>({ load, props, placeholder = null }: LaterPartProps<P>) {
  const Part = useLater(load);
  return Part ? <Part {...props} /> : placeholder;
}
