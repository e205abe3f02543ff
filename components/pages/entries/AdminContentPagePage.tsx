import { ActionForm } from '../../admin/actions/ActionForm';
import { DetailView } from '../../admin/DetailView';
import type { ContentEditProps } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';

export function AdminContentPagePage(props: ContentEditProps) {
  const { title, heading, backHref, slug, publicHref, version, shownVersion, form, html, versions } = props;
  return (
    <DetailView
      title={title}
      heading={heading}
      backHref={backHref}
      backText="All written pages"
      facts={[]}
      tables={[versions]}
      actions={
        <a className="button button--quiet" href={publicHref}>
          View the page
        </a>
      }
    >
      {shownVersion !== version && (
        <Notice kind="info" title={`This is the text of version ${shownVersion}`}>
          Publishing makes it the newest version again.{' '}
          <a href={`${backHref}/${slug}`}>Show version {version}</a>
        </Notice>
      )}
      <ActionForm key={`${slug} ${shownVersion}`} action={form} frame="wide" html={{ body: html }} />
    </DetailView>
  );
}
