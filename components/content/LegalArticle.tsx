import { useSite } from '../api/site';
import type { ContentProps } from '../contracts/schema';
import { formatOf } from '../format/format';
import { ContentArticle } from './ContentArticle';

/** Terms, privacy, imprint and accessibility, as far as the shop has written them. */
export function LegalArticle({ title, html, crumbs, updatedAt }: ContentProps) {
  const site = useSite();
  return (
    <ContentArticle
      title={title}
      html={html}
      crumbs={crumbs}
      note={
        <>
          Last changed on <time dateTime={updatedAt}>{formatOf(site).date(updatedAt)}</time>
        </>
      }
      aside={
        <div className="aside-card panel">
          <h2 className="heading-s">Questions about this page?</h2>
          <p>
            A person answers at <a href={`mailto:${site.email}`}>{site.email}</a>, or through the form.
          </p>
          <a className="button button--quiet button--wide" href="/contact">
            Contact form
          </a>
        </div>
      }
    />
  );
}
