import badgeStyles from '../../../static/css/badge.css?text';
import type { HealthProps } from '../../contracts/schema';
import { Badge } from '../../ui/Badge';
import { useStyles } from '../../ui/useStyles';

/** The running parts from the visitors on, each with its state in a word and what that means. */
export function HealthPicture({ groups }: Pick<HealthProps, 'groups'>) {
  useStyles(badgeStyles);
  return (
    <ol className="health-picture">
      {groups.map(({ title, parts }) => (
        <li key={title} className="health-picture__group">
          <h2 className="heading-m">{title}</h2>
          <ul className="health-picture__parts">
            {parts.map((part) => (
              <li key={part.title} className={`health-part health-part--${part.tone}`}>
                <p className="health-part__head">
                  <strong>{part.title}</strong> <Badge tone={part.tone} text={part.state} />
                </p>
                <p className="hint">{part.text}</p>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
