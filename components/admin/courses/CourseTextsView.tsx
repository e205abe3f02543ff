import type { CourseTextsProps } from '../../contracts/schema';
import { RichText } from '../../ui/RichText';

/** The texts of a course for those who may not change them. */
export function CourseTextsView({ subtitle, descriptionHtml }: CourseTextsProps) {
  return (
    <section className="area-part" aria-label="Texts">
      <p>{subtitle || 'It has no subtitle.'}</p>
      {descriptionHtml ? (
        <RichText className="prose" html={descriptionHtml} />
      ) : (
        <p className="muted">It has no description.</p>
      )}
    </section>
  );
}
