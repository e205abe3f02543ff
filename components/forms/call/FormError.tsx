import { Icon } from '../../ui/Icon';

/** An error of the form as a whole: announced at once, in an element that is always present. */
export function FormError({ text }: { text: string }) {
  return (
    <div role="alert">
      {text && (
        <p className="form-error" tabIndex={-1}>
          <Icon name="warning" />
          <span>{text}</span>
        </p>
      )}
    </div>
  );
}
