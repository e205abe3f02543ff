import type { Message, Step } from '../../api/identity';
import { Icon } from '../../ui/Icon';

type StepMessagesProps = { messages: readonly Message[] };

/** The provider's messages about the transaction as a whole. Errors interrupt a screen reader, the others do not. */
export function StepMessages({ messages }: StepMessagesProps) {
  const general = messages.filter(({ field }) => field === null);
  const errors = general.filter(({ kind }) => kind === 'error');
  const others = general.filter(({ kind }) => kind !== 'error');
  return (
    <>
      <div role="alert">
        {errors.map(({ key, text }) => (
          <p key={key + text} className="form-error">
            <Icon name="warning" />
            <span>{text}</span>
          </p>
        ))}
      </div>
      <div role="status">
        {others.map(({ key, text, kind }) => (
          <p key={key + text} className="form-news">
            <Icon name={kind === 'warning' ? 'warning' : 'info'} />
            <span>{text}</span>
          </p>
        ))}
      </div>
    </>
  );
}

/** A message about a field that the step does not have is shown for the whole step. */
export function messagesFor(messages: readonly Message[], step: Step | undefined): Message[] {
  return messages.map((message) => (step ? message : { ...message, field: null }));
}
