import { useSite } from '../../api/site';
import { ContentArticle } from '../../content/ContentArticle';
import type { ContentProps } from '../../contracts/schema';

export function AboutPage({ title, html, crumbs }: ContentProps) {
  const site = useSite();
  return (
    <ContentArticle
      title={title}
      html={html}
      crumbs={crumbs}
      note={site.tagline}
      aside={
        <div className="aside-card panel">
          <h2 className="heading-s">See for yourself</h2>
          <p>Every course shows its syllabus before you decide, and many let you read a lesson.</p>
          <a className="button button--wide" href="/shop">
            Browse the catalogue
          </a>
          <a className="button button--quiet button--wide" href="/contact">
            Write to us
          </a>
        </div>
      }
    />
  );
}
