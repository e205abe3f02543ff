import { ActionForm } from '../../admin/actions/ActionForm';
import { DetailView } from '../../admin/DetailView';
import { MailPreviews } from '../../admin/previews/MailPreviews';
import type { MailTextProps } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';

export function AdminMailTextPage(props: MailTextProps) {
  const { title, heading, backHref, name, version, shownVersion, facts, form, test, reset, mails, tables } =
    props;
  return (
    <DetailView
      title={title}
      heading={heading}
      backHref={backHref}
      backText="All mails"
      facts={facts}
      tables={tables}
      isWide
    >
      {shownVersion !== version && (
        <Notice
          kind="info"
          title={
            shownVersion ? `These are the words of version ${shownVersion}` : "These are the shop's own words"
          }
        >
          Publishing makes them the newest version.{' '}
          <a href={`${backHref}/${name}`}>Show the published words</a>
        </Notice>
      )}
      <ActionForm
        key={`${name} ${shownVersion}`}
        action={form}
        frame="wide"
        beside={({ preview, isFailed, read }) => (
          <MailPreviews mails={preview?.mails ?? mails} isFailed={isFailed} test={test} read={read} />
        )}
      />
      {reset && <ActionForm key={`reset ${version}`} action={reset} frame="fold" />}
    </DetailView>
  );
}
