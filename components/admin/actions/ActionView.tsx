import type { ActionPageProps } from '../../contracts/schema';
import { DetailView } from '../DetailView';
import { ActionForm } from './ActionForm';

/** The page of one thing: facts, texts, what can be done with it, and short tables. */
export function ActionView({ texts, actions, ...detail }: ActionPageProps) {
  return (
    <DetailView {...detail}>
      {texts.map(({ id, title, text }) => (
        <section key={id} className="area-part" aria-labelledby={`${id}-title`}>
          <h2 className="heading-m" id={`${id}-title`}>
            {title}
          </h2>
          <p className="area-text area-box">{text}</p>
        </section>
      ))}
      {actions.length > 0 && (
        <div className="area-forms">
          {actions.map((action) => (
            <ActionForm key={action.id} action={action} />
          ))}
        </div>
      )}
    </DetailView>
  );
}
