import { ContactForm } from '../../content/ContactForm';
import type { ContactProps } from '../../contracts/schema';
import { Breadcrumbs } from '../../ui/Breadcrumbs';
import { RichText } from '../../ui/RichText';

export function ContactPage({ title, html, crumbs, form }: ContactProps) {
  return (
    <div className="content">
      <div className="band">
        <div className="content__title-block">
          <Breadcrumbs crumbs={crumbs} />
          <h1 className="content__title">{title}</h1>
        </div>
      </div>
      <div className="content__columns stack content__columns--form">
        <section className="content__form" aria-label="Contact form">
          <ContactForm form={form} />
        </section>
        <RichText html={html} className="prose content__text" />
      </div>
    </div>
  );
}
