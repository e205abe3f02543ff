type SectionHeadingProps = {
  title: string;
  text?: string;
  link?: { href: string; text: string };
  id?: string;
};

export function SectionHeading({ title, text, link, id }: SectionHeadingProps) {
  return (
    <div className="section-heading row">
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className="section-heading__text">{text}</p>}
      </div>
      {link && (
        <a className="more-link" href={link.href}>
          {link.text}
        </a>
      )}
    </div>
  );
}
