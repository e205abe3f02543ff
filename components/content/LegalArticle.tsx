import { useSite } from '../api/site';
import type { ContentProps } from '../contracts/schema';
import { formatOf } from '../format/format';
import { ContentArticle } from './ContentArticle';

/** The refund policy, and terms, privacy, imprint and accessibility, as far as the shop has written them. */
export function LegalArticle({ title, html, crumbs, updatedAt, refundDays }: ContentProps) {
  const site = useSite();
  const format = formatOf(site);
  return (
    <ContentArticle
      title={title}
      html={html}
      crumbs={crumbs}
      note={
        <>
          Last changed on <time dateTime={updatedAt}>{format.date(updatedAt)}</time>
        </>
      }
      aside={
        <div className="aside-card panel">
          <h2 className="heading-s">{refundDays === null ? 'Questions about this page?' : 'In short'}</h2>
          {refundDays !== null && (
            <p className="aside-card__figure">
              <strong>{format.count(refundDays)} days</strong> to ask for your money back
            </p>
          )}
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
