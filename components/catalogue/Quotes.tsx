import type { HomeProps } from '../api/pageProps';
import type { Format } from '../ui/format';
import { Stars } from './Stars';

type QuotesProps = { quotes: HomeProps['quotes']; format: Format };

export function Quotes({ quotes, format }: QuotesProps) {
  return (
    <ul className="quotes">
      {quotes.map(({ review, course, href }) => (
        <li className="quote" key={review.id}>
          <Stars rating={review.rating} format={format} />
          {review.title && <h3 className="quote__title">{review.title}</h3>}
          <blockquote className="quote__text">{review.body}</blockquote>
          <p className="quote__source">
            <strong>{review.author}</strong>
            <a className="quote__course" href={href}>
              {course}
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
