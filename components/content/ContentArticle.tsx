import type { ReactNode } from 'react';
import type { Crumb } from '../contracts/schema';
import { Breadcrumbs } from '../ui/Breadcrumbs';
import { RichText } from '../ui/RichText';

type ContentArticleProps = {
  title: string;
  html: string;
  crumbs: Crumb[];
  /** A line below the title, such as the date. */
  note?: ReactNode;
  aside?: ReactNode;
};

/** A content page: title, text and a side column. */
export function ContentArticle({ title, html, crumbs, note, aside }: ContentArticleProps) {
  return (
    <article className="content">
      <header className="band">
        <div className="content__title-block">
          <Breadcrumbs crumbs={crumbs} />
          <h1 dir="auto" className="content__title">
            {title}
          </h1>
          {note && <p className="content__note">{note}</p>}
        </div>
      </header>
      <div className="content__columns stack">
        <RichText html={html} className="prose content__text" />
        {aside && <aside className="content__aside">{aside}</aside>}
      </div>
    </article>
  );
}
