import type { HomeProps } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Stars } from '../cards/Stars';

type TestimonialsProps = { testimonials: HomeProps['testimonials']; format: Format };

export function Testimonials({ testimonials, format }: TestimonialsProps) {
  return (
    <ul className="testimonials stack">
      {testimonials.map(({ review, course, href }) => (
        <li className="testimonial" key={review.id}>
          <Stars rating={review.rating} format={format} />
          {review.title && <h3 className="testimonial__title">{review.title}</h3>}
          <blockquote className="muted">{review.body}</blockquote>
          <p className="testimonial__source">
            <strong>{review.author}</strong>
            <a className="testimonial__course" href={href}>
              {course}
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
