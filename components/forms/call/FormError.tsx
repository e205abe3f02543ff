import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon';

type FormErrorProps = {
  text: string;
  /** What to do about it, beside texts that say only what happened. */
  help?: ReactNode;
};

/** An error of the form as a whole: announced at once, in an element that is always present. */
export function FormError({ text, help }: FormErrorProps) {
  return (
    <div role="alert">
      {text && (
        <p className="form-error" tabIndex={-1}>
          <Icon name="warning" />
          <span>
            {text}
            {help && <span className="form-error__help">{help}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
