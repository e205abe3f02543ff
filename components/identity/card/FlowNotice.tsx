import { Notice } from '../ui/Notice';

/** Why one is back at the start. */
export function FlowNotice({
  text,
  title = 'Back at the start',
}: {
  text: string;
  title?: string | undefined;
}) {
  return (
    <div role="status">
      {text && (
        <Notice kind="warning" title={title}>
          <p>{text}</p>
        </Notice>
      )}
    </div>
  );
}
