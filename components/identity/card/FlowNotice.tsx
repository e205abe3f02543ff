import { Notice } from '../../ui/Notice';

/** The reason why a flow starts again. */
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
