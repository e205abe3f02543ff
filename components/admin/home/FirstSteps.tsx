import type { AdminHomeProps } from '../../contracts/schema';

/** What a new school does first, in its order, until something is for sale. */
export function FirstSteps({ firstSteps }: Pick<AdminHomeProps, 'firstSteps'>) {
  if (firstSteps.length === 0) return null;
  return (
    <section className="area-part" aria-labelledby="first-steps">
      <h2 className="heading-m" id="first-steps">
        First steps
      </h2>
      <ol className="area-box first-steps">
        {firstSteps.map(({ text, href, isDone }) => (
          <li key={href}>{isDone ? `Done: ${text}` : <a href={href}>{text}</a>}</li>
        ))}
      </ol>
    </section>
  );
}
