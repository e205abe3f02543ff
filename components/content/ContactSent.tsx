import { useEffect, useRef } from 'react';
import { Icon } from '../ui/Icon';

type ContactSentProps = {
  /** True when the form above was replaced by this panel, so that focus is not lost. */
  takeFocus: boolean;
  onAgain: () => void;
};

export function ContactSent({ takeFocus, onAgain }: ContactSentProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takeFocus) panel.current?.focus();
  }, [takeFocus]);
  return (
    <div ref={panel} className="contact-sent panel" role="status" tabIndex={-1}>
      <span className="contact-sent__mark">
        <Icon name="check" />
      </span>
      <h2 className="contact-sent__title">Thank you, your message is with us</h2>
      <p>We have sent a confirmation to your address. A person will read your message and answer it.</p>
      <p className="contact-sent__links row">
        <a className="button" href="/shop">
          Back to the catalogue
        </a>
        <button className="button button--quiet" type="button" onClick={onAgain}>
          Write another message
        </button>
      </p>
    </div>
  );
}
