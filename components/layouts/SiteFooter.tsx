import { useSite } from '../api/site';
import { CategoryLink } from './CategoryLink';

export function SiteFooter() {
  const site = useSite();
  return (
    <footer className="site-footer">
      <div className="site-footer__inner">
        <div className="site-footer__about">
          <p className="site-footer__name">{site.name}</p>
          <p className="site-footer__tagline">{site.tagline}</p>
          <a className="site-footer__mail" href={`mailto:${site.email}`}>
            {site.email}
          </a>
        </div>
        <nav className="site-footer__nav" aria-label="Footer">
          {site.categories.length > 0 && (
            <div>
              <p className="site-footer__heading">Subjects</p>
              <ul className="site-footer__links site-footer__links--wide">
                {site.categories.map((category) => (
                  <li key={category.slug}>
                    <CategoryLink category={category} />
                  </li>
                ))}
              </ul>
            </div>
          )}
          <div>
            <p className="site-footer__heading">School</p>
            <ul className="site-footer__links">
              <FooterLink href="/shop" text="Full catalogue" />
              <FooterLink href="/organization-register" text="For teams" />
              <FooterLink href="/about" text="About us" />
              <FooterLink href="/contact" text="Contact" />
              <FooterLink href="/refund-grievance-policy" text="Refunds and grievances" />
            </ul>
          </div>
        </nav>
        <div className="site-footer__legal">
          <p>{`© ${site.year} ${site.name}`}</p>
          {site.legal.length > 0 && (
            <ul className="site-footer__links site-footer__links--row" aria-label="Legal">
              {site.legal.map(({ href, text }) => (
                <FooterLink key={href} href={href} text={text} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </footer>
  );
}

function FooterLink({ href, text }: { href: string; text: string }) {
  return (
    <li>
      <a href={href}>{text}</a>
    </li>
  );
}
