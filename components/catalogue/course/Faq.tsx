import type { CourseProps } from '../../contracts/schema';
import { numbered } from '../../ui/numbered';

export function Faq({ faq }: Pick<CourseProps, 'faq'>) {
  if (faq.length === 0) return null;
  return (
    <section className="course-section" id="faq">
      <h2 className="course-section__title">Questions and answers</h2>
      <div className="faq">
        {numbered(faq).map(({ key, value: { question, answer } }) => (
          <details className="faq__entry" key={key}>
            <summary className="faq__question">{question}</summary>
            <p className="faq__answer">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
