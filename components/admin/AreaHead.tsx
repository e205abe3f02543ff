import type { ReactNode } from 'react';

type AreaHeadProps = {
  heading: string;
  /** The list that the page belongs to. */
  backHref: string;
  backText: string;
  /** Below the heading. */
  children?: ReactNode;
  /** What can be done with the thing, beside the heading. */
  actions?: ReactNode;
};

/** The head of a page of one thing in an area, with the way back. */
export function AreaHead({ heading, backHref, backText, children, actions }: AreaHeadProps) {
  return (
    <header className="area-page__head row">
      <div>
        <a className="area-page__back" href={backHref}>
          {backText}
        </a>
        <h1>{heading}</h1>
        {children}
      </div>
      {actions}
    </header>
  );
}
