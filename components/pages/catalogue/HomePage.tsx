import { useSite } from '../../api/site';
import { cardAction } from '../../cart/buttons/AddButton';
import { OfferBanner } from '../../cart/offer/OfferBanner';
import { CardGrid } from '../../catalogue/cards/CardGrid';
import { CategoryTiles } from '../../catalogue/home/CategoryTiles';
import { ShopStats } from '../../catalogue/home/ShopStats';
import { Testimonials } from '../../catalogue/home/Testimonials';
import { SearchBox } from '../../catalogue/search/SearchBox';
import type { HomeProps } from '../../contracts/schema';
import { type Format, formatOf, plural } from '../../format/format';
import { AccountButton } from '../../identity/header/AccountButton';
import { HeaderActions } from '../../layouts/HeaderActions';
import { SiteFooter } from '../../layouts/SiteFooter';
import { SiteHeader } from '../../layouts/SiteHeader';
import { SkipLink } from '../../layouts/SkipLink';
import { SectionHeading } from '../../ui/SectionHeading';

const CATALOGUE_LINK = { href: '/shop', text: 'Full catalogue' };

export function HomePage({ featured, newest, categories, stats, testimonials }: HomeProps) {
  const site = useSite();
  const format = formatOf(site);
  return (
    <>
      <SkipLink />
      <OfferBanner />
      <SiteHeader actions={<HeaderActions account={<AccountButton />} />} />
      <main id="main" className="site-main" tabIndex={-1}>
        <Hero promise={site.tagline} stats={stats} subjects={categories.length} format={format} />
        {featured.length > 0 && (
          <section className="page-section" aria-label="Featured courses">
            <SectionHeading title="Courses to begin with" link={CATALOGUE_LINK} />
            <CardGrid cards={featured} format={format} action={cardAction} />
          </section>
        )}
        {categories.length > 0 && (
          <section className="page-section page-section--tint" aria-label="Subjects">
            <SectionHeading
              title="Find your subject"
              text="Taught by people who do the work, not only explain it."
            />
            <CategoryTiles categories={categories} format={format} />
          </section>
        )}
        {newest.length > 0 && (
          <section className="page-section" aria-label="New in the catalogue">
            <SectionHeading title="New in the catalogue" link={CATALOGUE_LINK} />
            <CardGrid cards={newest} format={format} action={cardAction} />
          </section>
        )}
        {testimonials.length > 0 && (
          <section className="page-section" aria-label="From our reviews">
            <SectionHeading title="What learners tell us" />
            <Testimonials testimonials={testimonials} format={format} />
          </section>
        )}
        <ClosingCall />
      </main>
      <SiteFooter />
    </>
  );
}

type HeroProps = { promise: string; stats: HomeProps['stats']; subjects: number; format: Format };

function Hero({ promise, stats, subjects, format }: HeroProps) {
  const courses = `${format.count(stats.courses)} ${plural(stats.courses, 'course', 'courses')}`;
  const fields = `${format.count(subjects)} ${plural(subjects, 'subject', 'subjects')}`;
  return (
    <div className="hero">
      <div className="hero__inner stack">
        <div className="hero__text">
          <h1 className="hero__promise">{promise}</h1>
          <p className="hero__lead">
            {stats.courses === 0
              ? 'The first courses are on their way.'
              : `${courses} in ${fields}, cut into lessons that fit between two meetings. Read a sample, see the whole syllabus, then decide.`}
          </p>
          <SearchBox place="hero" />
          <p className="hero__actions row">
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
      <ShopStats stats={stats} format={format} />
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
        <p className="closing__actions row">
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
