import { type ReactNode, useId } from 'react';

type LearningPartProps = {
  title: string;
  /** The whole list. */
  link?: { href: string; text: string } | null;
  className?: string;
  children: ReactNode;
};

/** A part of the dashboard with its own heading. */
export function LearningPart({ title, link, className = '', children }: LearningPartProps) {
  const id = useId();
  return (
    <section className={`learning-part stack ${className}`} aria-labelledby={id}>
      <div className="learning-part__head row">
        <h2 className="heading-m" id={id}>
          {title}
        </h2>
        {link && (
          <a className="more-link" href={link.href}>
            {link.text}
          </a>
        )}
      </div>
      {children}
    </section>
  );
}
