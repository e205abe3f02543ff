import type { HomeProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { cardAction } from '../cart/AddButton';
import { OfferStrip } from '../cart/OfferStrip';
import { VisitorsOwn } from '../cart/VisitorsOwn';
import { CardGrid } from '../catalogue/CardGrid';
import { CategoryTiles } from '../catalogue/CategoryTiles';
import { Proof } from '../catalogue/Proof';
import { Quotes } from '../catalogue/Quotes';
import { SearchBox } from '../catalogue/SearchBox';
import { AccountButton } from '../identity/AccountButton';
import { type Format, formatOf, plural } from '../ui/format';
import { SectionHead } from '../ui/SectionHead';
import { SiteFooter } from '../ui/SiteFooter';
import { SiteHeader } from '../ui/SiteHeader';
import { SkipLink } from '../ui/SkipLink';

const CATALOGUE_LINK = { href: '/shop', text: 'Full catalogue' };

export function HomePage({ featured, newest, categories, proof, quotes }: HomeProps) {
  const site = useSite();
  const format = formatOf(site);
  return (
    <>
      <SkipLink />
      <OfferStrip />
      <SiteHeader own={<VisitorsOwn account={<AccountButton />} />} />
      <main id="main" className="site-main" tabIndex={-1}>
        <Hero promise={site.tagline} proof={proof} subjects={categories.length} format={format} />
        {featured.length > 0 && (
          <section className="page-section" aria-label="Featured courses">
            <SectionHead title="Courses to begin with" link={CATALOGUE_LINK} />
            <CardGrid cards={featured} format={format} action={cardAction} />
          </section>
        )}
        {categories.length > 0 && (
          <section className="page-section page-section--tint" aria-label="Subjects">
            <SectionHead
              title="Find your subject"
              text="Taught by people who do the work, not only explain it."
            />
            <CategoryTiles categories={categories} format={format} />
          </section>
        )}
        {newest.length > 0 && (
          <section className="page-section" aria-label="New in the catalogue">
            <SectionHead title="New in the catalogue" link={CATALOGUE_LINK} />
            <CardGrid cards={newest} format={format} action={cardAction} />
          </section>
        )}
        {quotes.length > 0 && (
          <section className="page-section" aria-label="From our reviews">
            <SectionHead title="What learners tell us" />
            <Quotes quotes={quotes} format={format} />
          </section>
        )}
        <ClosingCall />
      </main>
      <SiteFooter />
    </>
  );
}

type HeroProps = { promise: string; proof: HomeProps['proof']; subjects: number; format: Format };

function Hero({ promise, proof, subjects, format }: HeroProps) {
  const courses = `${format.count(proof.courses)} ${plural(proof.courses, 'course', 'courses')}`;
  const fields = `${format.count(subjects)} ${plural(subjects, 'subject', 'subjects')}`;
  return (
    <div className="hero">
      <div className="hero__inner">
        <div className="hero__text">
          <h1 className="hero__promise">{promise}</h1>
          <p className="hero__lead">
            {`${courses} in ${fields}, cut into lessons that fit between two meetings. Read a sample, see the whole syllabus, then decide.`}
          </p>
          <SearchBox place="hero" />
          <p className="hero__actions">
            <a className="button button--accent" href="/shop">
              Browse the catalogue
            </a>
            <a className="button button--ghost" href="/about">
              How our courses are made
            </a>
          </p>
        </div>
        <img
          className="hero__picture"
          src="/static/images/hero.svg"
          width={960}
          height={720}
          alt=""
          fetchPriority="high"
          decoding="async"
        />
      </div>
      <Proof proof={proof} format={format} />
    </div>
  );
}

function ClosingCall() {
  return (
    <section className="closing" aria-label="Get in touch">
      <div className="closing__inner">
        <h2 className="closing__title">Not sure which course fits?</h2>
        <p className="closing__text">
          Tell us what you do and what you would like to be able to do. A person answers, and will say so when
          a course is not for you.
        </p>
        <p className="closing__actions">
          <a className="button button--accent" href="/contact">
            Ask us
          </a>
          <a className="button button--ghost" href="/refund-grievance-policy">
            Read the refund policy
          </a>
        </p>
      </div>
    </section>
  );
}
