import { AddButton } from './Interactive';

// The catalogue as a peer would write it: the elements and classes of our /shop, with the framework's own links.
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const priceOf = (minor) => (minor === 0 ? 'Free' : money.format(minor / 100));

export function Catalogue({ data, site, Link }) {
  return (
    <>
      <Header site={site} Link={Link} />
      <main id="main" className="site-main">
        <div className="shop-head band">
          <div className="shop-head__inner">
            <h1>{data.heading}</h1>
            <p className="shop-head__intro">{data.intro}</p>
          </div>
        </div>
        <div className="shop stack">
          <Filters facets={data.facets} Link={Link} />
          <section className="shop__results" aria-label="Results">
            <ul className="cards cards--3">
              {data.cards.map((card, at) => (
                <Card key={card.id} card={card} isEager={at < 3} Link={Link} />
              ))}
            </ul>
            <Pages entries={data.pagination.entries} Link={Link} />
          </section>
        </div>
      </main>
      <footer className="site-footer">
        <div className="site-footer__inner">
          <p className="site-footer__name">{site.name}</p>
          <Topics categories={site.categories} Link={Link} />
        </div>
      </footer>
    </>
  );
}

function Header({ site, Link }) {
  return (
    <header className="site-header">
      <div className="site-header__bar row">
        <Link className="site-header__brand" href="/">
          <img src={site.logo} width={40} height={40} alt="" />
          <span className="site-header__name">{site.name}</span>
        </Link>
        <nav className="site-nav" aria-label="Main">
          <ul className="site-nav__main">
            {['shop', 'about', 'contact', 'wishlist', 'login', 'cart'].map((name) => (
              <li key={name}>
                <Link className="site-nav__link" href={`/${name}`}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          <Topics categories={site.categories} Link={Link} />
        </nav>
      </div>
    </header>
  );
}

function Topics({ categories, Link }) {
  return (
    <ul className="site-nav__topics">
      {categories.map(({ slug, name }) => (
        <li key={slug}>
          <Link className="site-nav__topic" href={`/shop?category=${slug}`}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Filters({ facets, Link }) {
  return (
    <nav className="filters" aria-label="Filters">
      {facets.map((facet) => (
        <details key={facet.name} className="facet" open>
          <summary className="facet__label">{facet.label}</summary>
          <ul className="facet__options">
            {facet.options.map((option) => (
              <li key={option.value}>
                <Link className="facet__option" href={option.href}>
                  {option.label}
                  <span className="facet__count">{option.count}</span>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function Card({ card, isEager, Link }) {
  const { picture } = card;
  return (
    <li className="card">
      <img
        className="card__picture"
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt={picture.alt}
        loading={isEager ? undefined : 'lazy'}
        fetchPriority={isEager ? 'high' : undefined}
      />
      <p className="card__category">{card.category}</p>
      <h2 className="card__name heading-s">
        <Link className="card__link" href={card.href}>
          {card.name}
        </Link>
      </h2>
      <p className="card__subtitle hint">{card.subtitle}</p>
      <p className="card__meta">{[card.level, `${card.lessonCount ?? 0} lessons`].join(' · ')}</p>
      {card.rating !== null && (
        <p className="card__rating hint">
          <span
            className="stars bar--90"
            role="img"
            aria-label={`Rated ${card.rating.toFixed(1)} out of 5`}
          />{' '}
          {card.rating.toFixed(1)} ({card.ratingCount})
        </p>
      )}
      <p className="card__price">
        <strong className="card__amount">{priceOf(card.price)}</strong>
        {card.listPrice > card.price && <s className="price__was">{priceOf(card.listPrice)}</s>}
        <AddButton name={card.name} isFree={card.price === 0} />
      </p>
    </li>
  );
}

function Pages({ entries, Link }) {
  return (
    <nav className="pagination row" aria-label="Pages">
      <ol className="pagination__entries row">
        {entries.map(({ number, href }) => (
          <li key={number}>
            <Link className="pagination__entry" href={href ?? '/shop'}>
              {number}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
