import type { ReactNode } from 'react';

type GroupProps = { id: string; title: string; text?: string; children: ReactNode };

/** A heading and the states below it. */
export function Group({ id, title, text, children }: GroupProps) {
  return (
    <section className="guide__group" id={id}>
      <h2>{title}</h2>
      {text && <p className="muted">{text}</p>}
      {children}
    </section>
  );
}

type StateProps = { label: string; children: ReactNode; ground?: 'night' | 'bare' };

/** One component in one state. `bare` omits the frame, for components with their own background. */
export function State({ label, children, ground }: StateProps) {
  return (
    <div className="guide__state">
      <p className="guide__label hint">{label}</p>
      <div className={ground ? `guide__stage stack guide__stage--${ground}` : 'guide__stage'}>{children}</div>
    </div>
  );
}
