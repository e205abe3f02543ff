import { Notice } from '../../ui/Notice';

/** What a product still lacks for its page. */
export function MissingNotice({ missing }: { missing: string[] }) {
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning" title="It cannot be published yet">
      <ul>
        {missing.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>
  );
}
