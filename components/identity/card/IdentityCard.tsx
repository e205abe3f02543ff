import { type ReactNode, useEffect, useRef } from 'react';
import identityStyles from '../../static/css/identity.css?text';
import { useStyles } from '../ui/useStyles';

type IdentityCardProps = {
  title: string;
  text?: string;
  /** Another value gives the heading the focus: a new step has begun. */
  step?: string;
  children?: ReactNode;
  /** Another level than a page's own heading. */
  heading?: 'h1' | 'h3';
  /** Below the card: ways to elsewhere. */
  below?: ReactNode;
};

/** The one frame of all identity screens. */
export function IdentityCard(props: IdentityCardProps) {
  const { title, text, step, heading: Heading = 'h1', children, below } = props;
  useStyles(identityStyles);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  return (
    <div className="identity">
      <div className="identity__card">
        <div className="identity__head">
          <Heading className="identity__title" ref={heading} tabIndex={-1}>
            {title}
          </Heading>
          {text && <p className="identity__text">{text}</p>}
        </div>
        {children}
      </div>
      {below && <div className="identity__below">{below}</div>}
    </div>
  );
}

/** While the first form is on its way: its height is kept. */
export function IdentitySkeleton({ title }: { title: string }) {
  return (
    <IdentityCard title={title}>
      <div className="identity__waiting" role="status">
        <p className="sr-only">Loading the form</p>
        <div className="skeleton identity__bone" />
        <div className="skeleton identity__bone" />
        <div className="skeleton identity__bone" />
      </div>
    </IdentityCard>
  );
}
