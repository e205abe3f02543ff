import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type LaterPartProps<P> = {
  /** A function of a module, not of a render: it is called once. */
  load: () => Promise<ComponentType<P>>;
  props: P;
  /** Keeps its place until the code is there. */
  placeholder?: ReactNode;
};

/** A part of the page that nobody reads first: its code loads after the page. Without it the rest works. */
export function LaterPart<P extends object>({ load, props, placeholder = null }: LaterPartProps<P>) {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => undefined,
    );
  }, [load]);
  return Part ? <Part {...props} /> : placeholder;
}
