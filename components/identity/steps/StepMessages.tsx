import type { Message, Step } from '../api/identity';
import { Icon } from '../ui/Icon';

type StepMessagesProps = { messages: readonly Message[] };

/** What the provider says about the transaction as a whole. Errors interrupt a screen reader, the rest waits its turn. */
export function StepMessages({ messages }: StepMessagesProps) {
  const general = messages.filter(({ field }) => field === null);
  const errors = general.filter(({ kind }) => kind === 'error');
  const others = general.filter(({ kind }) => kind !== 'error');
  return (
    <>
      <div role="alert">
        {errors.map(({ key, text }) => (
          <p key={key + text} className="form-problem">
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

/** Messages about a field that the step does not have concern the whole. */
export function placed(messages: readonly Message[], step: Step | undefined): Message[] {
  return messages.map((message) => (step ? message : { ...message, field: null }));
}
