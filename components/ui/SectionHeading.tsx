type SectionHeadProps = { title: string; text?: string; link?: { href: string; text: string } };

export function SectionHead({ title, text, link }: SectionHeadProps) {
  return (
    <div className="section-head">
      <div>
        <h2 className="section-head__title">{title}</h2>
        {text && <p className="section-head__text">{text}</p>}
      </div>
      {link && (
        <a className="more-link" href={link.href}>
          {link.text}
        </a>
      )}
    </div>
  );
}
