import { type ReactNode, useEffect, useRef } from 'react';
import identityStyles from '../../../static/css/identity.css?text';
import { Placeholder, Skeleton } from '../../ui/loading/Skeleton';
import { useStyles } from '../../ui/useStyles';

type IdentityCardProps = {
  title: string;
  text?: string;
  /** Above the title: which of how many steps it is. */
  place?: string;
  /** When it changes, a new step has begun and the heading takes the focus. */
  step?: string;
  children?: ReactNode;
  /** For use below another heading. */
  heading?: 'h1' | 'h3';
};

/** The one frame of all identity screens. */
export function IdentityCard(props: IdentityCardProps) {
  const { title, text, place, step, heading: Heading = 'h1', children } = props;
  useStyles(identityStyles);
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef<string>(undefined);
  useEffect(() => {
    if (shownStep.current !== step) heading.current?.focus();
    shownStep.current = step;
  }, [step]);
  return (
    <div className="identity stack">
      <div className="identity__card stack">
        <div className="identity__head">
          {place && <p className="identity__place">{place}</p>}
          <Heading className="identity__title" ref={heading} tabIndex={-1}>
            {title}
          </Heading>
          {text && <p className="identity__text">{text}</p>}
        </div>
        {children}
      </div>
    </div>
  );
}

/** Placeholder with the height of the first form. */
export function IdentitySkeleton({ title }: { title: string }) {
  return (
    <IdentityCard title={title}>
      <Skeleton label="Loading the form" className="identity__waiting">
        <Placeholder shape="field" count={3} />
      </Skeleton>
    </IdentityCard>
  );
}
