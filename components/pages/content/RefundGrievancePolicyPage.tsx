import { useSite } from '../../api/site';
import { ContentArticle } from '../../content/ContentArticle';
import type { ContentProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';

export function RefundGrievancePolicyPage({ title, html, crumbs, updatedAt, refundDays }: ContentProps) {
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
          <h2 className="heading-s">In short</h2>
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
